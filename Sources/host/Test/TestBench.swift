import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// The environment in which a module is checked. It consists of a root that contains the module, and a temporary state
/// folder.
struct TestBench {
    let manifest: Manifest
    let configuration: ViperHost.Configuration
    /// The folder for all temporary files. If this process is killed, the next `host test` removes the folder.
    private let privateFolder: PrivateFolder

    var folder: String { privateFolder.path }

    /// Creates a bench by preparing the root and the folders.
    ///
    /// - Parameters:
    ///   - target: The name of a module, or the path of a library.
    ///   - configuration: The configuration of the host that the command's options describe.
    /// - Throws: An error if the module does not exist, or if no manifest describes the library.
    init(_ target: String, _ configuration: ViperHost.Configuration) async throws(ViperError) {
        var configuration = configuration
        privateFolder = try PrivateFolder(prefix: "viper-test", trust: configuration.root.trust.ofProcess)
        let folder = privateFolder.path
        do throws(ViperError) {
            let manifest: Manifest
            if target.hasSuffix(".so") {
                let report = try await LibraryReport(reading: target)
                manifest = try Self.manifest(of: target, report, in: configuration.root)
                configuration.root = try configuration.root.overlay(
                    in: privateFolder, with: target, manifest, isPacked: report.manifest != nil)
            } else {
                manifest = try Self.manifest(named: target, in: configuration.root)
            }
            if manifest.kind == .contract {
                throw ViperError(
                    .usage, operation: "cannot test", subject: manifest.name,
                    cause: "it is a contract, expected a module",
                    fix: "test the modules that use it")
            }
            configuration.settings.stateFolder = folder + "/state"
            configuration.usesIndex = false
            (self.manifest, self.configuration) = (manifest, configuration)
        } catch {
            privateFolder.remove()
            throw error
        }
    }

    func remove() { privateFolder.remove() }

    private static func manifest(named name: String, in root: Root) throws(ViperError) -> Manifest {
        let manifests = try manifests(in: root)
        if let manifest = manifests.first(where: { $0.name == name }) { return manifest }
        throw unknownName(
            name, .moduleUnknown, "cannot test module", "no module has this name", among: manifests.map(\.name),
            fix: "run host modules to list all modules, or give the path of a library, FILE.so")
    }

    private static func manifest(
        of library: String, _ report: LibraryReport, in root: Root
    ) throws(ViperError) -> Manifest {
        if let text = report.manifest { return try Manifest(text: Data(text.utf8), named: report.file) }
        if let manifest = try manifests(in: root).first(where: { $0.library == report.file }) { return manifest }
        throw ViperError(
            .manifestInvalid, operation: "cannot test library", subject: library,
            cause: "it contains no manifest, and no manifest in Manifests refers to it",
            fix: "run host pack \(library) MANIFEST.json")
    }

    private static func manifests(in root: Root) throws(ViperError) -> [Manifest] {
        try Catalog(reading: root).manifests
    }
}
