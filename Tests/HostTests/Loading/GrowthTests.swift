import Foundation
import HostDriver
import TestSupport
import Testing

/// A later ViperKit, whose screens, events and errors have grown, and this one: modules, hosts and clients of both.
///
/// The later ViperKit is built from today's sources with ``SDKBuild/growth``. Modules and hosts are not rebuilt.
///
/// Serialized, so that only one test takes a slot while it waits for the build.
@Suite(.serialized, .fewAtOnce, .long, .hangLimit)
struct GrowthTests {
    /// A host of today with the later ViperKit.
    private func laterHost() async throws -> BareHost {
        try await BareHost(viperKit: SDKBuild.library(changing: SDKBuild.growth))
    }

    private func root(_ executable: String = Products.host) async throws -> ScratchRoot {
        let root = try ScratchRoot(executable: executable)
        try await root.add(.elder, .elder)
        return root
    }

    @Test("An unknown kind is named, and an unknown tone, role or alignment changes nothing, wherever the module runs")
    func fallbacks() async throws {
        let root = try await root()
        let (direct, isolating) = (
            try await ServingHost(root), try await ServingHost(self.root(), "--isolate", "elder")
        )
        let places = [
            ["--root", root.path], ["--root", root.path, "--isolate", "elder"], ["--via", direct.socket],
            ["--via", isolating.socket],
        ]
        for place in places {
            let text = try await ChildProcess(root.executable, ["run", "elder"] + place).run()
            #expect(
                text.text == """
                    Elder
                    Sales
                      (chart: this version cannot show it)
                      May   7
                      Born   [\(place.count == 2 && place[0] == "--root" ? "••••••••" : "")]  (shade: this version cannot show it)
                      [go] Go

                    """, "\(place): \(text)")
            let json = try await ChildProcess(root.executable, ["run", "elder", "--format", "json"] + place).run()
            for part in [
                #""kind" : "chart""#, #""kind" : "shade""#, #""tone" : "gloomy""#, #""role" : "grand""#,
                #""alignment" : "centre""#,
            ] {
                #expect(json.text.contains(part), "\(place): \(json)")
            }
            let terminal = try root.terminal(environment: [:]) { $0.arguments = ["run", "elder"] + place }
            let shown = try await terminal.end().shown
            #expect(shown.contains("  May   \u{1B}[2m7") && shown.contains("  [go] Go"), "\(shown.debugDescription)")
        }
    }

    @Test("A module of today runs with a later ViperKit, in the host's process and isolated", arguments: [false, true])
    func olderModule(isIsolated: Bool) async throws {
        let host = try await laterHost()
        let root = try await root(host.executable)
        let options =
            ["--fill", "born=1816", "--select", "1", "--press", "go"] + (isIsolated ? ["--isolate", "elder"] : [])
        let text = try await root.host("run", "elder") { $0.arguments += options }
        #expect(
            text.text == """
                Elder
                something newer, fill born, select 1, press go
                Sales
                  (chart: this version cannot show it)
                  May   7
                  Born   [1816]  (shade: this version cannot show it)
                  [go] Go

                """, "\(text)")
        let json = try await root.host("run", "elder", "--format", "json") { $0.arguments += options }
        for part in [
            #""mood" : 0.5"#, #""sound" : "plain""#, #""value" : "1816""#, #""kind" : "chart""#, #""kind" : "shade""#,
        ] {
            #expect(json.text.contains(part), "\(json)")
        }
        let refusal = try await root.host("run", "elder/refuse") {
            $0.arguments += isIsolated ? ["--isolate", "elder"] : []
        }
        #expect(refusal.ending == .code(70))
        #expect(
            refusal.errors == """
                host: cannot open route "elder/refuse": cannot read "it": some reason
                  in  a box
                  page: help.html

                """)
    }

    @Test("A client of today shows the screens and errors of a later host, and names what it cannot show")
    func olderClient() async throws {
        let later = try await laterHost()
        let serving = try await ServingHost(root(later.executable))
        let text = try await ChildProcess(
            Products.host, ["run", "elder", "--fill", "born=1816", "--via", serving.socket]
        ).run()
        #expect(
            text.text == """
                Elder
                something newer, fill born
                Sales
                  (chart: this version cannot show it)
                  May   7
                  Born   [••••••••]  (shade: this version cannot show it)
                  [go] Go

                """, "\(text)")
        let json = try await ChildProcess(
            Products.host, ["run", "elder", "--format", "json", "--via", serving.socket]
        ).run()
        #expect(json.text.contains(#""kind" : "chart""#) && json.text.contains(#""kind" : "shade""#), "\(json)")
        #expect(!json.text.contains("mood") && !json.text.contains("1815"), "\(json)")
        let refusal = try await ChildProcess(Products.host, ["run", "elder/refuse", "--via", serving.socket]).run()
        #expect(refusal.ending == .code(70))
        #expect(
            refusal.errors == """
                host: cannot open route "elder/refuse": cannot read "it": some reason
                  in  a box

                """)
        // The later version does send what the client ignores.
        let client = try serving.client()
        #expect(try await client.call("open", #"{"route":"elder"}"#).contains(#""mood":0.5"#))
        let error = try await client.call("open", #"{"route":"elder/refuse"}"#)
        #expect(error.contains(#""page":"help.html""#) && error.contains("module-refused-route"), "\(error)")
    }

    @Test("A later client shows the screens and errors of a host of today")
    func laterClient() async throws {
        let later = try await laterHost()
        let serving = try await ServingHost(root())
        let json = try await later.run(["run", "elder", "--select", "1", "--format", "json", "--via", serving.socket])
        let screen = try JSONDecoder().decode(ShownScreen.self, from: json.output)
        #expect(screen.title == "Elder" && screen.sections.map(\.title) == ["Sales"], "\(json)")
        #expect(json.text.contains(#""text" : "select 1""#) && !json.text.contains("mood"), "\(json)")
        let refusal = try await later.run(["run", "elder/refuse", "--via", serving.socket])
        #expect(refusal.errors.hasPrefix("host: cannot open route \"elder/refuse\": cannot read \"it\": some reason\n"))
    }

    @Test("A session reads text of an unknown kind without echo, because it may be a secret")
    func secrecy() async throws {
        let root = try await root()
        let session = try root.terminal("run", "-i", "elder", environment: ["NO_COLOR": "1"])
        #expect(try await session.wait(for: "> ").contains("Born   [••••••••]  (shade: this version cannot show it)"))
        try session.type("fill born=s3cret\n")
        try await session.wait(for: "may be a secret")
        try await session.wait(for: "> ")
        try session.type("fill\n")
        try await session.wait(for: "Born (shade: this version cannot show it) [••••••••]: ")
        #expect(!session.isEchoing)
        try session.type("s3cret\n")
        let shown = try await session.wait(for: "> ")
        #expect(shown.contains("fill born\n") && !shown.contains("s3cret"), "\(shown)")
        #expect(session.isEchoing)
        let json = try await root.host("run", "elder", "--fill", "born=s3cret", "--format", "json")
        #expect(json.ending == .code(0) && !"\(json)".contains("s3cret"), "\(json)")
    }
}
