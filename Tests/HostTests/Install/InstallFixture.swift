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
        let folder = "\(root.folder.path)/v\(version)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let library = "\(folder)/libVersion.so"
        try copyFile(await ModuleFixture.version(version, health: health, event: event).compiled(), to: library)
        let manifest = ManifestText.version(routes: routes).text.replacing("1.0.0", with: "\(version).0.0")
        let file = try root.folder.write(manifest, to: "v\(version)/version.json")
        let result = try await ChildProcess(Products.host, ["pack", library, file]).run()
        try #require(result.ending == .code(0), "\(result)")
        return library
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
