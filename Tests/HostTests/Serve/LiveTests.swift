import Foundation
import HostDriver
import TestSupport
import Testing

/// Modules that are added, changed and removed while the built host serves.
@Suite(.fewAtOnce, .hangLimit)
struct LiveTests {
    private let root: ScratchRoot
    private var plugin: String { "\(root.path)/Plugins/libVersion.so" }

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
    }

    private func rename(_ old: String, _ new: String) throws { try #require(Glibc.rename(old, new) == 0) }

    @Test("A dropped-in module responds, and removing its manifest removes its routes")
    func addAndRemove() async throws {
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
        "A library is replaced by every common way of replacing files",
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
            // Truncated and rewritten while it is loaded.
            #expect(try await ChildProcess("cp", [new, plugin]).run().ending == .code(0))
        case "mv":
            try files.copyItem(atPath: new, toPath: "\(root.path)/new")
            try rename("\(root.path)/new", plugin)
        case "dance":
            try rename(plugin, plugin + "~")
            try files.copyItem(atPath: new, toPath: plugin)
            try files.removeItem(atPath: plugin + "~")
        case "link":
            // Overwrites the target of the link.
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
        "A module that is removed and added with another library uses the new library",
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

    @Test("Switching a root that is a symbolic link reloads its modules, and open scenes stay")
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
            try await client.call("event", #"{"scene":1,"event":{"press":"go"}}"#).contains("went with 1"))
        // Switches back, and sends a signal at once.
        #expect(try await ChildProcess("ln", ["-sfn", "one", root.path]).run().ending == .code(0))
        host.send(SIGHUP)
        try await client.wait(for: #""title":"1""#)
    }

    @Test("A partly copied library is not loaded, and the old one responds until the copy is complete")
    func halfCopied() async throws {
        try await root.add(.version("1"), .version())
        let whole = try Data(contentsOf: URL(filePath: await ModuleFixture.version("2").compiled()))
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        try await client.wait(for: #""title":"1""#)
        let file = try FileHandle(forWritingTo: URL(filePath: plugin))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: whole.prefix(whole.count / 2))
        // Another change makes the host scan the root.
        try root.add(ManifestText("other", library: "libOther.so", routes: ["other"]))
        try await client.wait("modules", "{}", for: #""module":"other""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try file.write(contentsOf: whole.suffix(from: whole.count / 2))
        try file.close()
        try await client.wait(for: #""title":"2""#)
    }

    @Test("A thousand manifests at once are all registered, and removing them removes their routes")
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

    @Test("A module that blocks the main actor does not keep the host from finding new modules")
    func blocked() async throws {
        try await root.add(.version("1", event: "while true { usleep(5000) }"), .version())
        let host = try await ServingHost(root, "--limit", "time=1")
        let client = try host.client()
        // The first calls may time out while the module loads.
        let opened = try await client.wait(for: #""title":"1""#)
        let scene = try #require(opened.firstMatch(of: /"scene":(\d+)/)?.1)
        #expect(try await client.call("event", #"{"scene":\#(scene),"event":{"press":"go"}}"#).contains("time-limit"))
        try await root.add(.keeper("x"), .keeper)
        try await client.wait("services", "{}", for: "word")
        #expect(try await client.call("ping").contains("time-limit"))
    }
}
