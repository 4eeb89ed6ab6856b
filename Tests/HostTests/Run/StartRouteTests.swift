import HostDriver
import TestSupport
import Testing

/// The route that opens if none is named.
@Suite(.fewAtOnce, .hangLimit)
struct StartRouteTests {
    private func root(_ starts: String...) async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        for (index, start) in starts.enumerated() {
            var manifest = ManifestText.version(routes: ["version\(index)"])
            (manifest.name, manifest.library) = ("version\(index)", "libVersion\(index).so")
            manifest.contributes = #"{ "start": [{ "route": "\#(start)" }] }"#
            try await root.add(.version("\(index)", routes: ["version\(index)"]), manifest)
        }
        return root
    }

    @Test("The only route that a module contributes opens, also in another host and with parameters")
    func contributed() async throws {
        let root = try await root("list")
        let served = try await ServingHost(root)
        for place in [["--root", root.path], ["--via", served.socket]] {
            let result = try await ChildProcess(root.executable, ["run"] + place, environment: root.environment).run()
            #expect(result.ending == .code(0) && result.text == RunTests.list, "\(place) \(result)")
        }
        let client = try served.client()
        #expect(try await client.call("open", #"{"route":""}"#).contains(#""title":"People by company""#))
        let unknown = try await root.host("run", "?age=7")
        #expect(unknown.ending == .code(64))
        #expect(unknown.errors.hasPrefix(#"host: cannot open route "list": it has no parameter "age""#), "\(unknown)")
    }

    @Test("--start takes precedence over host.json, and host.json over modules; both may have parameters")
    func chosen() async throws {
        let root = try await root("list")
        let person = "person?id=58f9a19680685a4e1e6d5016"
        try root.folder.write(#"{"start": "\#(person)"}"#, to: "root/host.json")
        #expect(try await root.host("run").text.hasPrefix("Bertha Irwin\n"))
        #expect(try await root.host("run", "--start", "list").text == RunTests.list)
        let session = try await root.host("run", "-i") { $0.input = "/dev/null" }
        #expect(session.text.hasPrefix("Bertha Irwin\n"), "\(session)")
    }

    @Test("Without a start, and with several, the error says what to do")
    func missing() async throws {
        let none = try await root().host("run")
        #expect(none.ending == .code(69))
        #expect(
            none.errors == """
                host: cannot open "the start route": no usable module contributes one
                  fix: name a route; host routes lists them, and "start" in host.json chooses one

                """, "\(none)")
        let several = try await root("list", "version1").host("run")
        #expect(several.ending == .code(78))
        #expect(
            several.errors == """
                host: cannot open "the start route": 2 modules contribute different ones
                  version0  list
                  version1  version1
                  fix: choose one with --start, or with "start" in host.json

                """, "\(several)")
        // Modules that agree are no conflict.
        #expect(try await root("list", "list").host("run").text == RunTests.list)
        let unknown = try await root("nowhere").host("run")
        #expect(unknown.errors.hasPrefix(#"host: cannot open route "nowhere": no module provides it"#), "\(unknown)")
    }
}
