import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// The files of a host that runs on another machine.
struct ExportedTree {
    private struct Module {
        let manifest: Manifest
        /// The path of the manifest in the root, or of the library that contains it.
        let file: String
        let library: String
    }

    private let root: Root
    private let hasSDK: Bool
    private let modules: [Module]
    /// The names of the modules whose library is missing.
    let missing: [String]
    let needed: LibraryClosure

    var moduleCount: Int { modules.count }

    /// The program, and the library beside it that all modules use.
    private static let programs = ["host", "libViperKit.so"]

    init(of host: ViperHost, hasSDK: Bool) throws(ViperError) {
        let root = host.root
        (self.root, self.hasSDK) = (root, hasSDK)
        let found = host.registry.snapshot.modules.compactMap { record -> (Manifest, String, String?)? in
            guard let manifest = record.manifest else { return nil }
            let places = [root.plugins, root.executableFolder].map { "\($0)/\(manifest.library)" }
            return (manifest, record.file, places.first { access($0, F_OK) == 0 })
        }
        modules = found.compactMap { manifest, file, library in
            library.map { Module(manifest: manifest, file: file, library: $0) }
        }
        missing = found.filter { $0.2 == nil }.map { $0.0.name }
        let programs = Self.programs.map { "\(root.executableFolder)/\($0)" }
        needed = try LibraryClosure(of: programs + modules.map(\.library))
    }

    /// Writes the files. The folder appears when it is complete.
    ///
    /// - Throws: `file-exists` if the folder exists, or `output-failed` if a file cannot be written.
    func write(to folder: String) throws(ViperError) {
        try NewFiles.checkFree(folder, "cannot export to")
        let stage = "\(folder).\(getpid()).export"
        defer { try? FileManager.default.removeItem(atPath: stage) }
        try writePrograms(to: stage)
        try writeModules(to: stage)
        try write(SystemdUnits.service, to: "\(stage)/lib/systemd/viper-host.service")
        try write(SystemdUnits.socket, to: "\(stage)/lib/systemd/viper-host.socket")
        if hasSDK { try writeSDK(to: stage) }
        guard rename(stage, folder) == 0 else { throw Self.failure(folder, String(cString: strerror(errno))) }
    }

    private func writePrograms(to stage: String) throws(ViperError) {
        for name in Self.programs {
            let source = "\(root.executableFolder)/\(name)"
            guard let content = FileManager.default.contents(atPath: source) else {
                throw ViperError(.fileUnreadable, operation: "cannot read", subject: source, cause: "it is missing")
            }
            // The program finds Swift's libraries in `lib`, wherever the folder is.
            let bytes = try relocated([UInt8](content), searching: "$ORIGIN/../lib:$ORIGIN", source)
            try write(Data(bytes), to: "\(stage)/bin/\(name)")
        }
        guard chmod("\(stage)/bin/host", 0o755) == 0 else {
            throw Self.failure(stage, String(cString: strerror(errno)))
        }
        guard let folder = needed.runtimeFolder else { return }
        for name in needed.swift { try copy("\(folder)/\(name)", to: "\(stage)/lib/\(name)") }
    }

    private func writeModules(to stage: String) throws(ViperError) {
        for module in modules {
            try copy(module.library, to: "\(stage)/Plugins/\(module.manifest.library)")
            if module.file.hasPrefix("Manifests/") {
                try copy("\(root.path)/\(module.file)", to: "\(stage)/\(module.file)")
            }
            if let resources = module.manifest.resources, isFolder("\(root.plugins)/\(resources)") {
                try copy("\(root.plugins)/\(resources)", to: "\(stage)/Plugins/\(resources)")
            }
        }
        for file in ["host.json", "Manifests/modules.lock"] where access("\(root.path)/\(file)", F_OK) == 0 {
            try copy("\(root.path)/\(file)", to: "\(stage)/\(file)")
        }
    }

    private func writeSDK(to stage: String) throws(ViperError) {
        let (modules, checkout) = ("\(root.executableFolder)/Modules", try Checkout.find())
        for name in try fileNames(in: modules, ending: "")
        where name.hasPrefix("ViperKit.swift") || name == "ViperKit.abi.json" {
            try copy("\(modules)/\(name)", to: "\(stage)/bin/Modules/\(name)")
        }
        try write(TestingPackage.manifest, to: "\(stage)/Package.swift")
        for folder in TestingPackage.folders {
            try copy("\(checkout)/Sources/\(folder)", to: "\(stage)/Sources/\(folder)")
        }
    }

    private func write(_ text: String, to path: String) throws(ViperError) { try write(Data(text.utf8), to: path) }

    private func write(_ content: Data, to path: String) throws(ViperError) {
        try attempt(path) {
            try FileManager.default.createDirectory(atPath: parentFolder(of: path), withIntermediateDirectories: true)
            try content.write(to: URL(filePath: path))
        }
    }

    private func copy(_ source: String, to path: String) throws(ViperError) {
        try attempt(path) {
            try FileManager.default.createDirectory(atPath: parentFolder(of: path), withIntermediateDirectories: true)
            // Links lead to files that the other machine does not have.
            try FileManager.default.copyItem(atPath: resolved(source) ?? source, toPath: path)
        }
    }

    private func attempt(_ path: String, _ body: () throws -> Void) throws(ViperError) {
        do { try body() } catch { throw Self.failure(path, "\(error)") }
    }

    private static func failure(_ path: String, _ cause: String) -> ViperError {
        ViperError(.outputFailed, operation: "cannot write", subject: path, cause: cause)
    }
}
