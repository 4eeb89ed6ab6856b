import Foundation
import Glibc

/// A serving host with the module `web`, and a module with a board.
package struct WebHost {
    package let root: ScratchRoot
    package let host: ServingHost
    package let port: UInt16

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - settings: More settings of the module, such as `web.windows=2`.
    ///   - root: A root that ``root()`` has prepared. Nil for a new one.
    ///   - state: The state folder. Nil for one of the root's.
    ///   - limits: The maximum number of the host's descriptors. Nil for that of this process.
    package init(
        _ settings: [String] = [], address: String = "127.0.0.1:0", in given: ScratchRoot? = nil, state: String? = nil,
        limits: Int? = nil
    ) async throws {
        root = if let given { given } else { try await Self.root() }
        let arguments = (["web.listen=\(address)"] + settings).flatMap { ["--set", $0] }
        host = try await ServingHost(root, "--state", state ?? root.folder.path + "/state") { child in
            child.arguments += arguments
            guard let limits else { return }
            let program = child.program
            child.arguments = ["-c", "ulimit -n \(limits); exec \"$0\" \"$@\"", program] + child.arguments
            child.program = "/bin/sh"
        }
        try await host.wait(forLog: "web: info: serving pages on ")
        // The log shows the address for browsers, which may have another port.
        let given = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let shown = host.log.firstMatch(of: /serving pages on https?:\/\/.*:(\d+)\/\n/).flatMap { UInt16($0.1) }
        guard let port = given > 0 ? given : shown else { throw ChildFailure("no port: \(host.log)") }
        self.port = port
    }

    /// Creates a root with the modules.
    package static func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copyManifest("web")
        var manifest = ManifestText.board.text
        manifest.replace("\"requires\"", with: "\"resources\": \"Board\",\n  \"requires\"")
        try root.copy(await ModuleFixture.board().compiled(), to: "libBoard.so")
        try root.folder.write(Data(dot), to: "root/Plugins/Board/dot.png")
        try root.folder.write("{}", to: "root/Plugins/Board/secret.json")
        try root.folder.write("outside", to: "root/Plugins/outside.png")
        try root.add(manifest: manifest, as: "board.json")
        return root
    }

    /// The first bytes of an image.
    package static let dot: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]

    package func connection() throws -> WebConnection { try WebConnection(port: port) }
    package func browser() -> Browser { Browser(port: port) }

    /// Replaces a library as an editor of files does: by renaming.
    package func replace(_ library: String, by path: String) throws {
        let staged = root.folder.path + "/staged.so"
        try copyFile(path, to: staged)
        guard rename(staged, "\(root.path)/Plugins/\(library)") == 0 else { throw ChildFailure("cannot replace") }
    }

    /// Replaces the module by another generation of it, and waits until that serves.
    package func reload() async throws {
        let line = "web: info: serving pages on "
        let count = host.log.components(separatedBy: line).count
        let answer = try await host.client().call("reload", #"{"module":"web"}"#)
        guard answer.contains("\"result\"") else { throw ChildFailure("no replacement: \(answer)") }
        let isServing = await eventually { host.log.components(separatedBy: line).count > count }
        if !isServing { throw ChildFailure("the new generation does not serve: \(host.log)") }
    }

    /// Kills the host, and starts another one at the same address.
    package func restartedAfterKill(_ settings: [String] = [], state: String? = nil) async throws -> WebHost {
        host.send(SIGKILL)
        _ = try await host.end()
        return try await WebHost(settings, address: "127.0.0.1:\(port)", in: root, state: state)
    }

    /// Ends the host, and waits for it.
    package func end() async throws -> ChildResult.Ending {
        host.send(SIGTERM)
        return try await host.end()
    }
}
