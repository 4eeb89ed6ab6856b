import Foundation
import TestSupport
import Testing

/// Modules come, change and go while the built host serves.
@Suite(.fewAtOnce, .hangLimit)
struct LiveTests {
    private let root: ScratchRoot
    private var plugin: String { "\(root.path)/Plugins/libVersion.so" }

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
    }

    private func rename(_ old: String, _ new: String) throws { try #require(Glibc.rename(old, new) == 0) }

    @Test("what is dropped in answers, and its routes go with its manifest")
    func comeAndGo() async throws {
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        _ = try await client.call("subscribe", #"{"to":["registry"]}"#)
        try await root.add(.version("1"), .version())
        _ = try await client.line(with: #""module":"version","state":"resolved""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        _ = try await client.line(with: #""module":"version","state":"retired""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("route-unknown"))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test(
        "a library is replaced in whatever way people replace files",
        arguments: ["cp", "mv", "dance", "link", "remove"])
    func ways(_ way: String) async throws {
        let files = FileManager.default
        let (old, new) = (
            try await ModuleFixture.version("1").compiled(), try await ModuleFixture.version("2").compiled()
        )
        try root.add(.version())
        let links = try ["a", "b"].map { try root.folder.write("", to: "build-\($0)/.keep") }.map {
            String($0.dropLast("/.keep".count))
        }
        if way == "link" {
            try files.copyItem(atPath: old, toPath: "\(links[0])/libVersion.so")
            try files.createSymbolicLink(atPath: plugin, withDestinationPath: "\(links[0])/libVersion.so")
        } else {
            try files.copyItem(atPath: old, toPath: plugin)
        }
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        try await client.wait(for: #""title":"1""#)
        switch way {
        case "cp":
            // Truncated and written anew, while it is loaded.
            #expect(try await ChildProcess("cp", [new, plugin]).run().ending == .code(0))
        case "mv":
            try files.copyItem(atPath: new, toPath: "\(root.path)/new")
            try rename("\(root.path)/new", plugin)
        case "dance":
            try rename(plugin, plugin + "~")
            try files.copyItem(atPath: new, toPath: plugin)
            try files.removeItem(atPath: plugin + "~")
        case "link":
            // What the link names is built anew.
            #expect(try await ChildProcess("cp", [new, "\(links[0])/libVersion.so"]).run().ending == .code(0))
        default:
            try files.removeItem(atPath: plugin)
            try await client.wait("modules", "{}", for: "library-missing")
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
            try files.copyItem(atPath: new, toPath: plugin)
        }
        try await client.wait(for: #""title":"2""#)
        #expect(try await client.call("modules").contains("rejection") == false)
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test(
        "a module that was taken away and put back with another library answers with that",
        arguments: ["manifest", "both", "at once"])
    func putBack(_ way: String) async throws {
        let new = try await ModuleFixture.version("2").compiled()
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        try await client.wait(for: #""title":"1""#)
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        if way == "manifest" { try await client.wait(for: "route-unknown") }
        try FileManager.default.removeItem(atPath: plugin)
        if way == "both" { try await client.wait(for: "route-unknown") }
        try FileManager.default.copyItem(atPath: new, toPath: plugin)
        try root.add(.version())
        try await client.wait(for: #""title":"2""#)
        #expect(try await client.call("modules").contains("rejection") == false)
    }

    @Test("a root that is a symbolic link is followed when the link is switched, and open scenes stay")
    func switchedRoot() async throws {
        try await root.add(.version("1"), .version())
        let releases = ["one", "two"].map { "\(root.folder.path)/\($0)" }
        try rename(root.path, releases[0])
        try FileManager.default.copyItem(atPath: releases[0], toPath: releases[1])
        try FileManager.default.removeItem(atPath: "\(releases[1])/Plugins/libVersion.so")
        try FileManager.default.copyItem(
            atPath: await ModuleFixture.version("2").compiled(), toPath: "\(releases[1])/Plugins/libVersion.so")
        try FileManager.default.createSymbolicLink(atPath: root.path, withDestinationPath: "one")
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await ChildProcess("ln", ["-sfn", "two", root.path]).run().ending == .code(0))
        try await client.wait(for: #""title":"2""#)
        #expect(
            try await client.call("send", #"{"scene":1,"event":{"press":"go"}}"#).contains("went with 1"))
        // Away and back, with nothing but the signal in between.
        #expect(try await ChildProcess("ln", ["-sfn", "one", root.path]).run().ending == .code(0))
        host.send(SIGHUP)
        try await client.wait(for: #""title":"1""#)
    }

    @Test("half of a library is not taken, and the old one answers until the rest has come")
    func halfCopied() async throws {
        try await root.add(.version("1"), .version())
        let whole = try Data(contentsOf: URL(filePath: await ModuleFixture.version("2").compiled()))
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        try await client.wait(for: #""title":"1""#)
        let file = try FileHandle(forWritingTo: URL(filePath: plugin))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: whole.prefix(whole.count / 2))
        // Something else makes the host look.
        try root.add(ManifestText("other", library: "libOther.so", routes: ["other"]))
        try await client.wait("modules", "{}", for: #""module":"other""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try file.write(contentsOf: whole.suffix(from: whole.count / 2))
        try file.close()
        try await client.wait(for: #""title":"2""#)
    }

    @Test("a thousand manifests at once are all taken, and their routes go at once with them")
    func thousand() async throws {
        let host = try await ServingHost(root, "--limit", "message=100000000")
        let client = try host.client()
        for index in 0..<1000 {
            try root.folder.write(
                ManifestText("m\(index)", library: "libNone.so", routes: ["r\(index)"]).text,
                to: "staged/m\(index).json")
        }
        #expect(
            try await ChildProcess("sh", ["-c", "mv \(root.folder.path)/staged/* \(root.path)/Manifests/"]).run().ending
                == .code(0))
        try await client.wait("routes", "{}", for: #""route":"r999""#)
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests")
        try FileManager.default.createDirectory(atPath: "\(root.path)/Manifests", withIntermediateDirectories: false)
        try await client.wait("routes", "{}", for: #""result":[]"#)
    }

    @Test("a module that blocks the main actor keeps nobody from seeing what comes")
    func blocked() async throws {
        try await root.add(.version("1", event: "while true {}"), .version())
        let host = try await ServingHost(root, "--limit", "time=1")
        let client = try host.client()
        // The first calls may spend their time on loading the module.
        let opened = try await client.wait(for: #""title":"1""#)
        let scene = try #require(opened.firstMatch(of: /"scene":(\d+)/)?.1)
        #expect(try await client.call("send", #"{"scene":\#(scene),"event":{"press":"go"}}"#).contains("time-limit"))
        try await root.add(.keeper("x"), .keeper)
        try await client.wait("services", "{}", for: "word")
        #expect(try await client.call("ping").contains("time-limit"))
    }
}
