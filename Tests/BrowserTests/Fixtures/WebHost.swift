import Foundation
import HostDriver
import TestSupport

/// A serving host with bundled modules, whose module `web` serves pages at a free port.
struct WebHost {
    let root: ScratchRoot
    let host: ServingHost
    /// The address of the pages, without the last slash.
    let url: String
    private let server: TestServer?

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - modules: The bundled modules in addition to `web` and `company-list`.
    ///   - needsLogin: True to guard people and todos by a login.
    init(
        _ modules: [String] = [], needsLogin: Bool = false, prepare: (ScratchRoot) async throws -> Void = { _ in }
    ) async throws {
        root = try ScratchRoot()
        for module in modules + ["web"] { try root.copyManifest(module) }
        try Self.copyResources("Web", to: root)
        if modules.contains("account") { try Self.copyResources("Account", to: root) }
        server = modules.contains("account") ? try await TestServer("login") : nil
        let guards = needsLogin ? #""guards": { "account": ["people", "people/*", "todo", "todos"] }, "# : ""
        let settings =
            server.map { #", "account": { "baseURL": "\#($0.url)" }, "todo": { "baseURL": "\#($0.url)" }"# } ?? ""
        try root.folder.write(
            #"{ \#(guards)"state": "state", "set": { "web": { "listen": "127.0.0.1:0" }\#(settings) } }"#,
            to: "root/host.json")
        try await prepare(root)
        host = try await ServingHost(root)
        try await host.wait(forLog: "serving pages on ")
        let line = host.log.split(separator: "\n").first { $0.contains("serving pages on ") } ?? ""
        url = String(line.split(separator: " ").last?.dropLast() ?? "")
    }

    /// Copies the files that a bundled module reads, such as its logo.
    private static func copyResources(_ module: String, to root: ScratchRoot) throws {
        let folder = "Plugins/\(module)"
        try FileManager.default.createDirectory(atPath: "\(root.path)/\(folder)", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(Products.repository)/\(folder)/Resources", toPath: "\(root.path)/\(folder)/Resources")
    }

    /// Logs in on the page that asks for it.
    func logIn(_ browser: Browser) async throws {
        try await browser.wait(forHeading: "Log in")
        try await browser.fill("userName", "ada")
        // Enter presses the default action.
        try await browser.fill("password", "lovelace" + Key.enter)
    }
}
