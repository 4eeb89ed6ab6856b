import Foundation
import HostDriver
import TestSupport
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog
@testable import ViperRuntime

/// A root that changes while a host in this process uses it.
final class ChangingRoot: Sendable {
    let scratch: ScratchFolder
    let log = Steps()

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write("", to: "root/Manifests/.keep")
        try scratch.write("", to: "root/Plugins/.keep")
    }

    var path: String { scratch.path + "/root" }

    func host() throws -> ViperHost { try ViperHost(configuration) }

    var configuration: ViperHost.Configuration {
        var configuration = ViperHost.Configuration(root: Root(path: path, executableFolder: "/nonexistent"))
        configuration.isLive = true
        configuration.workerProgram = Products.host
        configuration.settings.stateFolder = scratch.path + "/state"
        configuration.logger = LineLogger(source: "host", minimum: .info) { [log] in log.add($0) }
        return configuration
    }

    /// Installs a library with a single rename, as users should.
    func put(_ fixture: ModuleFixture, as library: String) async throws {
        let content = try Data(contentsOf: URL(filePath: await fixture.compiled()))
        try put(content, as: library)
    }

    func put(_ content: Data, as library: String) throws {
        let staged = try scratch.write(content, to: "staged")
        guard rename(staged, "\(path)/Plugins/\(library)") == 0 else {
            throw ViperError(.libraryFailed, operation: "", subject: "", cause: "")
        }
    }

    /// Creates a library that contains its manifest, outside the root, and returns its path.
    func packed() async throws -> String {
        let plain = try Data(contentsOf: URL(filePath: await ModuleFixture.version("1").compiled()))
        let library = try scratch.write(plain, to: "packed/libVersion.so")
        let manifest = try scratch.write(ManifestText.version().text, to: "packed/version.json")
        _ = try await LibraryPacker(library: library, manifest: manifest).pack()
        // The packer writes in this process, so a child that starts meanwhile can hold the file open.
        try waitForWriters(of: library)
        return library
    }

    func put(_ manifest: ManifestText) throws {
        try scratch.write(manifest.text, to: "root/Manifests/\(manifest.name).json")
    }

    func put(_ fixture: ModuleFixture, _ manifest: ManifestText) async throws {
        try await put(fixture, as: manifest.library)
        try put(manifest)
    }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(file)") }
}
