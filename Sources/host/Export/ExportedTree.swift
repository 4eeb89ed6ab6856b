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
    /// What is left out, each with the reason.
    private(set) var omissions: [String] = []
    let needed: LibraryClosure

    var moduleCount: Int { modules.count }

    /// The program, and the library beside it that all modules use.
    private static let programs = ["host", "libViperKit.so"]

    init(of host: ViperHost, hasSDK: Bool) throws(ViperError) {
        let root = host.root
        (self.root, self.hasSDK) = (root, hasSDK)
        var (modules, omissions): ([Module], [String]) = ([], [])
        for record in host.registry.snapshot.modules {
            guard let manifest = record.manifest else {
                omissions.append("\(record.file), whose manifest cannot be read")
                continue
            }
            let places = [root.plugins, root.executableFolder].map { "\($0)/\(manifest.library)" }
            if let library = places.first(where: { access($0, F_OK) == 0 }) {
                modules.append(Module(manifest: manifest, file: record.file, library: library))
            } else {
                omissions.append("\(record.name), whose library is missing")
            }
        }
        (self.modules, self.omissions) = (modules, omissions)
        if Self.isPrivate("\(root.path)/host.json") {
            self.omissions.append("host.json, which only its owner can read; copy it yourself")
        }
        let programs = Self.programs.map { "\(root.executableFolder)/\($0)" }
        needed = try LibraryClosure(of: programs + modules.map(\.library))
    }

    /// Writes the files to a folder that does not exist.
    ///
    /// - Throws: `output-failed` if a file cannot be written.
    func write(to stage: String) throws(ViperError) {
        try writePrograms(to: stage)
        try writeModules(to: stage)
        try write(SystemdUnits.service, to: "\(stage)/lib/systemd/viper-host.service")
        try write(SystemdUnits.socket, to: "\(stage)/lib/systemd/viper-host.socket")
        if hasSDK { try writeSDK(to: stage) }
    }

    private func writePrograms(to stage: String) throws(ViperError) {
        for name in Self.programs {
            let source = "\(root.executableFolder)/\(name)"
            // The program finds Swift's libraries in `lib`, wherever the folder is.
            let bytes = try relocated(
                try Self.content(of: source), of: source, searching: "$ORIGIN/../lib:$ORIGIN")
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
        for file in ["host.json", "Manifests/modules.lock"] {
            let path = "\(root.path)/\(file)"
            if access(path, F_OK) == 0, !Self.isPrivate(path) { try copy(path, to: "\(stage)/\(file)") }
        }
    }

    /// Returns true if only the owner can read a file. It may contain a password, and must not reach an archive.
    private static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
    }

    private static func content(of path: String) throws(ViperError) -> [UInt8] {
        do { return try [UInt8](Data(contentsOf: URL(filePath: path))) } catch {
            throw ViperError(
                .fileUnreadable, operation: "cannot read", subject: path, cause: systemReason(error))
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

    /// Copies a file or folder, once. Modules may share a library or a folder of resources.
    private func copy(_ source: String, to path: String) throws(ViperError) {
        if access(path, F_OK) == 0 { return }
        try attempt(path) {
            try FileManager.default.createDirectory(atPath: parentFolder(of: path), withIntermediateDirectories: true)
            // Links lead to files that the other machine does not have.
            try FileManager.default.copyItem(atPath: resolved(source) ?? source, toPath: path)
        }
    }

    private func attempt(_ path: String, _ body: () throws -> Void) throws(ViperError) {
        do { try body() } catch { throw Self.failure(path, systemReason(error)) }
    }

    static func failure(_ path: String, _ cause: String) -> ViperError {
        ViperError(.outputFailed, operation: "cannot write", subject: path, cause: cause)
    }
}
