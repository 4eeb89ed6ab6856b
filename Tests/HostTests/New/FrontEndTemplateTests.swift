import Foundation
import HostDriver
import TestSupport
import Testing

/// The front end that `host new` creates, in a serving host.
@Suite(.fewAtOnce, .hangLimit)
struct FrontEndTemplateTests {
    @Test("The front end shows the start, follows the menu, and keeps its window when it is replaced")
    func replaced() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("launcher")
        let package = "\(root.folder.path)/pages"
        let made = try await ChildProcess(Products.host, ["new", "Pages", "--front-end", "--package", package]).run()
        try #require(made.ending == .code(0), "\(made)")
        // A folder builds faster than a package.
        let sources = "\(package)/Sources/Pages"
        try FileManager.default.copyItem(atPath: "\(package)/Manifests/pages.json", toPath: "\(sources)/pages.json")
        let built = try await root.host("build", sources)
        try #require(built.ending == .code(0), "\(built)")

        let state = "\(root.folder.path)/state"
        let host = try await ServingHost(root, environment: ["XDG_STATE_HOME": state])
        func read(_ file: String) -> String? {
            try? String(contentsOfFile: "\(state)/viper-host/modules/pages/\(file)", encoding: .utf8)
        }
        try #require(await eventually { read("page.txt") == "Menu\n- Companies\n" }, "\(host.log)")
        let window = try #require(read("window"))
        #expect(Int(window) != nil)
        try root.copyManifest("people")
        try #require(await eventually { read("page.txt") == "Menu\n- Companies\n- People\n" }, "\(host.log)")

        let code = try String(contentsOfFile: "\(sources)/FrontEnd.swift", encoding: .utf8)
        try code.replacing("\"- \\(", with: "\"* \\(").write(
            toFile: "\(sources)/FrontEnd.swift", atomically: true, encoding: .utf8)
        let rebuilt = try await root.host("build", sources)
        try #require(rebuilt.ending == .code(0), "\(rebuilt)")
        try #require(await eventually { read("page.txt") == "Menu\n* Companies\n* People\n" }, "\(host.log)")
        #expect(read("window") == window)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }
}
