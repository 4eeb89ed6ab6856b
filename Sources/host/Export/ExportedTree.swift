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
    private let settings: Settings
    private let hasSDK: Bool
    private let modules: [Module]
    /// The modules that are left out, each with the reason.
    private let omissions: [String]
    let needed: LibraryClosure

    var moduleCount: Int { modules.count }

    /// The program, and the library beside it that all modules use.
    private static let programs = ["host", "libViperKit.so"]

    init(of host: ViperHost, hasSDK: Bool) throws(ViperError) {
        let root = host.root
        (self.root, self.hasSDK, settings) = (root, hasSDK, try Settings(reading: root))
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
        let programs = Self.programs.map { "\(root.executableFolder)/\($0)" }
        needed = try LibraryClosure(of: programs + modules.map(\.library))
    }

    /// Checks that a path is outside the folders that are copied, because the copy would contain itself.
    func checkOutside(_ path: String) throws(ViperError) {
        guard let parent = resolved(parentFolder(of: path)) else { return }
        for module in modules {
            guard let folder = resources(of: module).flatMap(resolved), "\(parent)/".hasPrefix("\(folder)/") else {
                continue
            }
            throw ViperError(
                .usage, operation: "cannot export to", subject: path,
                cause: "it is inside the resources of the module \(module.manifest.name)", fix: "choose another folder")
        }
    }

    /// Writes the files.
    ///
    /// - Returns: What is left out, each with the reason.
    /// - Throws: `output-failed` if a file cannot be written, or `file-unreadable`.
    func write(to folder: PortableFolder) throws(ViperError) -> [String] {
        try writePrograms(to: folder)
        var omissions = omissions
        for module in modules { omissions += try write(module, to: folder) }
        omissions += try writeSettings(to: folder)
        try folder.write(Data(SystemdUnits.service.utf8), as: "lib/systemd/viper-host.service")
        try folder.write(Data(SystemdUnits.socket.utf8), as: "lib/systemd/viper-host.socket")
        if hasSDK { try writeSDK(to: folder) }
        return omissions + folder.omissions
    }

    private func writePrograms(to folder: PortableFolder) throws(ViperError) {
        for name in Self.programs {
            let source = "\(root.executableFolder)/\(name)"
            // The program finds Swift's libraries in `lib`, wherever the folder is.
            let bytes = try relocated(
                [UInt8](try PortableFolder.content(of: source)), of: source, searching: "$ORIGIN/../lib:$ORIGIN")
            try folder.write(Data(bytes), as: "bin/\(name)", isProgram: name == "host")
        }
        guard let runtime = needed.runtimeFolder else { return }
        for name in needed.swift { try folder.copy("\(runtime)/\(name)", as: "lib/\(name)") }
    }

    private func resources(of module: Module) -> String? {
        module.manifest.resources.map { "\(root.plugins)/\($0)" }
    }

    private func write(_ module: Module, to folder: PortableFolder) throws(ViperError) -> [String] {
        try folder.copy(module.library, as: "Plugins/\(module.manifest.library)")
        let isPacked = !module.file.hasPrefix("Manifests/")
        if !isPacked { try folder.copy("\(root.path)/\(module.file)", as: module.file) }
        guard let resources = resources(of: module) else { return [] }
        let name = "Plugins/\(module.manifest.resources ?? "")"
        if isFolder(resources) {
            try folder.copy(resources, as: name)
        } else if !isPacked {
            return ["\(name), the resources of \(module.manifest.name), which are missing"]
        }
        return []
    }

    private func writeSettings(to folder: PortableFolder) throws(ViperError) -> [String] {
        let lock = "\(root.path)/\(ModuleLock.file)"
        if access(lock, F_OK) == 0 { try folder.copy(lock, as: ModuleLock.file) }
        var status = stat()
        guard stat("\(root.path)/host.json", &status) == 0 else { return [] }
        // It may contain a password, and everybody can read the exported file.
        if status.st_mode & 0o004 == 0 { return ["host.json, which not everybody may read; copy it yourself"] }
        try folder.copy("\(root.path)/host.json", as: "host.json")
        return settings.dataFolders.map { "\($0), a folder with data that host.json names" }
    }

    private func writeSDK(to folder: PortableFolder) throws(ViperError) {
        let (modules, checkout) = ("\(root.executableFolder)/Modules", try Checkout.find())
        for name in try fileNames(in: modules, ending: "")
        where name.hasPrefix("ViperKit.swift") || name == "ViperKit.abi.json" {
            try folder.copy("\(modules)/\(name)", as: "bin/Modules/\(name)")
        }
        try folder.write(Data(TestingPackage.manifest.utf8), as: "Package.swift")
        for target in TestingPackage.folders {
            try folder.copy("\(checkout)/Sources/\(target)", as: "Sources/\(target)")
        }
    }
}
