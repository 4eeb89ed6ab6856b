import Foundation
import HostDriver
import TestSupport
import Testing

/// `host enable`, `host disable` and `host reload`.
@Suite(.fewAtOnce, .hangLimit)
struct EnableTests {
    private let root: ScratchRoot
    private var file: String { "\(root.path)/host.json" }

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("people")
    }

    private func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    @Test("A disabled module is listed, and its routes are missing until it is enabled")
    func toggle() async throws {
        let disabled = try await root.host("disable", "people")
        #expect(disabled.text == "Disabled people in \(root.path)\n", "\(disabled)")
        #expect(try text() == "{\n  \"disabled\": [\"people\"]\n}\n")
        let modules = try await root.host("modules")
        #expect(modules.text.contains(/people +1\.0\.0 +disabled/) && modules.errors == "", "\(modules)")
        let run = try await root.host("run", "people")
        let cause = "the module \"people\", which provides it, is disabled"
        #expect(run.ending == .code(69) && run.errors.contains(cause), "\(run)")
        for name in ["people", "people/add", "libPeople.so"] {
            let why = try await root.host("why", name)
            #expect(why.text.contains("enable it with host enable people"), "\(why)")
        }
        try root.folder.write(#"{"disabled": ["people"], "guards": {"people": ["list"]}}"#, to: "root/host.json")
        let guarded = try await root.host("run", "list")
        #expect(guarded.errors.contains("its guard \"people\" failed: the module is disabled"), "\(guarded)")
        #expect(guarded.errors.contains("the module is disabled; its routes stay shut; enable it with "), "\(guarded)")
        try root.folder.write(#"{"disabled": ["people"]}"#, to: "root/host.json")
        let again = try await root.host("disable", "people")
        #expect(again.text == "people is already disabled in \(root.path)\n")
        #expect(try await root.host("enable", "people").text == "Enabled people in \(root.path)\n")
        #expect(try await root.host("run", "people").ending == .code(0))
        #expect(try await root.host("enable", "people").text == "people is already enabled in \(root.path)\n")
        let unknown = try await root.host("disable", "poeple")
        #expect(unknown.ending == .code(69) && unknown.errors.contains("did you mean  people"), "\(unknown)")
    }

    @Test("The rest of host.json keeps its form")
    func form() async throws {
        for text in [
            "{ \"data\": [\"a,]}\"],\n\t\"set\": {\"people\": {}} }", "{}", "{ \"disabled\": [], \"data\": [] }\n",
            "{ \"data\": [],\n  \"disabled\": [\"company-list\"] }\n",
        ] {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            try FileManager.default.createDirectory(atPath: "\(root.path)/a,]}", withIntermediateDirectories: true)
            #expect(try await root.host("disable", "people").ending == .code(0))
            #expect(try text.isEmpty || self.text() != text)
            #expect(try await root.host("modules").text.contains(/people +1\.0\.0 +disabled/), "\(text)")
            #expect(try await root.host("enable", "people").ending == .code(0))
            #expect(try await root.host("modules").text.contains(/people +1\.0\.0 +resolved/), "\(text)")
            #expect(try self.text().contains("\"data\"") == text.contains("\"data\""))
        }
        let hostile = #"{"disabled":["a\"b","c\\d","e\nf","g\u0000h"]}"#
        try hostile.write(toFile: file, atomically: false, encoding: .utf8)
        for command in ["disable", "enable"] {
            let result = try await root.host(command, "people")
            #expect(result.ending == .code(0), "\(result)")
        }
        let names = try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: URL(filePath: file)))
        #expect(names == ["disabled": ["a\"b", "c\\d", "e\nf", "g\0h"]])
        let escaped = #"{"disabl\u0065d":["details"]}"#
        try escaped.write(toFile: file, atomically: false, encoding: .utf8)
        let unchanged = try await root.host("disable", "people")
        #expect(unchanged.ending == .code(78) && unchanged.errors.contains("its form"), "\(unchanged)")
        #expect(try text() == escaped)
        let invalid = "{ \"disabled\": 1 }"
        try invalid.write(toFile: file, atomically: false, encoding: .utf8)
        let refused = try await root.host("disable", "people")
        #expect(refused.ending == .code(78) && refused.errors.contains("host.json:1:15"), "\(refused)")
        #expect(try text() == invalid)
    }

    @Test("Of many commands at once, each change of host.json and of the lock is kept", arguments: ["disable", "lock"])
    func atOnce(command: String) async throws {
        let names = ["alert", "details", "launcher", "notes", "people", "terminal", "todo", "web"]
        for name in names { try root.copyManifest(name) }
        let lock = try root.folder.write(#"{"modules": {}}"#, to: "root/Manifests/modules.lock")
        try await withThrowingTaskGroup(of: Void.self) { [root] group in
            for name in names {
                group.addTask {
                    let result = try await root.host(command) {
                        $0.arguments.insert(contentsOf: command == "lock" ? ["--update", name] : [name], at: 1)
                    }
                    #expect(result.ending == .code(0), "\(result)")
                }
            }
            try await group.waitForAll()
        }
        struct Lock: Decodable { var modules: [String: [String: String]] }
        let found =
            command == "lock"
            ? try JSONDecoder().decode(Lock.self, from: Data(contentsOf: URL(filePath: lock))).modules.keys.sorted()
            : try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: URL(filePath: file)))["disabled"]
        #expect(found == names)
    }

    @Test("A serving host follows at once, and open scenes stay")
    func served() async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await root.host("disable", "version").ending == .code(0))
        try await client.wait("open", #"{"route":"version"}"#, for: "route-unknown")
        #expect(try await client.call("event", #"{"scene":1,"event":{"press":"go"}}"#).contains("went with 1"))
        #expect(try await client.call("modules").contains(#""state":"disabled""#))
        #expect(try await client.call("enable", #"{"module":"version"}"#).contains(#""isChanged":true"#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await client.call("disable", #"{"module":"version"}"#).contains(#""isChanged":true"#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("route-unknown"))
        // The last valid list counts.
        try "{".write(toFile: file, atomically: true, encoding: .utf8)
        try root.add(ManifestText("trigger", library: "libTrigger.so", routes: []))
        try await client.wait("modules", "{}", for: #""module":"trigger""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("route-unknown"))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test("A reload makes a new generation of an unchanged module")
    func reload() async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        func generation() async throws -> Int? {
            let all = try await client.call("statistics")
            return all.firstMatch(of: /"generation":(\d+)[^}]*"module":"version"/).flatMap { Int($0.1) }
        }
        let before = try #require(try await generation())
        let result = try await root.host("reload", "version", "--via", host.socket) { $0.arguments.removeLast(2) }
        #expect(result.text == "Reloaded version\n", "\(result)")
        #expect(try await generation() == before + 1)
        #expect(try await client.call("reload", #"{"module":"nothing"}"#).contains("module-unknown"))
        #expect(try await client.call("event", #"{"scene":1,"event":{"press":"go"}}"#).contains("went with 1"))
        let missing = try await root.host("reload", "version") { $0.arguments.removeLast(2) }
        #expect(missing.ending == .code(64) && missing.errors.contains("give --via PATH"), "\(missing)")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }
}
