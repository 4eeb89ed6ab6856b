import Foundation
import HostDriver
import TestSupport
import Testing

/// A root without modules, and packed versions of the module `version` beside it.
struct InstallFixture {
    let root: ScratchRoot
    var installed: String { "\(root.path)/Plugins/libVersion.so" }
    var versions: String { "\(root.path)/Plugins/.versions" }
    var state: [String: String] { ["XDG_STATE_HOME": "\(root.folder.path)/state"] }

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
    }

    /// Packs a version of the module, and returns the path of its library.
    func packed(_ version: String, event: String = "", health: String = "", routes: [String] = ["version"]) async throws
        -> String
    {
        try await packed(
            .version(version, health: health, event: event), .version(routes: routes), version: "\(version).0.0")
    }

    /// Packs a manifest into a module's library, and returns the path of the library.
    func packed(_ module: ModuleFixture, _ manifest: ManifestText, version: String = "1.0.0") async throws -> String {
        let folder = "\(root.folder.path)/\(manifest.name)-\(version)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let library = "\(folder)/\(manifest.library)"
        try copyFile(await module.compiled(), to: library)
        let text = manifest.text.replacing("\"1.0.0\"", with: "\"\(version)\"")
        let file = try root.folder.write(text, to: "\(manifest.name)-\(version)/manifest.json")
        let result = try await ChildProcess(Products.host, ["pack", library, file]).run()
        try #require(result.ending == .code(0), "\(result)")
        return library
    }

    /// Returns the SHA-256 of a file, as `sha256sum` prints it.
    func digest(of file: String) async throws -> String {
        let result = try await ChildProcess("sha256sum", [file]).run()
        return try #require(result.text.split(separator: " ").first.map(String.init), "\(result)")
    }

    func host(_ arguments: String...) async throws -> ChildResult {
        try await root.host(environment: state) { $0.arguments = arguments + $0.arguments }
    }

    /// The title of the module's screen, or nil if the module cannot be opened.
    func title() async throws -> String? {
        let result = try await host("run", "version")
        return result.ending == .code(0) ? result.text.split(separator: "\n").first.map(String.init) : nil
    }
}
