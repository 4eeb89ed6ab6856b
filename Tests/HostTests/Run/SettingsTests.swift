import Foundation
import HostDriver
import TestSupport
import Testing

/// `--set`, `--state` and `host.json`, as a module receives them.
@Suite(.fewAtOnce)
struct SettingsTests {
    private static let fixture = ModuleFixture(
        "Settled",
        """
        import ViperKit

        @c(viper_entry_v1_Settled)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Settled.self) }

        final class Settled: Module {
            private let text: String
            init(services: any ServiceResolver) throws {
                struct Settings: Decodable { var baseURL: String, limit: Int }
                let settings = try services.resolve(.configuration).decode(Settings.self)
                text = "\\(settings.baseURL) \\(settings.limit) \\(try services.resolve(.stateFolder).path)"
            }
            static func register(with registrar: Registrar<Settled>) {
                registrar.route("settled") { module, request in module.view(for: request) }
            }

            func view(for request: RouteRequest) -> any View { SettledView(text) }
        }

        final class SettledView: View {
            let screen: Screen
            init(_ text: String) { screen = Screen(title: text) }
        }
        """)

    private func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copy(await Self.fixture.compiled(), to: "libSettled.so")
        try root.add(
            manifest: """
                {"name": "settled", "version": "1.0.0", "library": "libSettled.so", "sdk": "1.0",
                 "routes": [{"name": "settled", "summary": "Shows its settings"}],
                 "requires": ["configuration", "state-folder"],
                 "config": [{"name": "baseURL", "type": "string", "summary": "Where to ask"},
                            {"name": "limit", "type": "integer", "default": 10, "summary": "How many"}]}
                """, as: "settled.json")
        return root
    }

    @Test("A module that lacks a value is refused with the option to give, and others work")
    func missing() async throws {
        let root = try await root()
        let result = try await root.host("run", "settled")
        #expect(result.ending == .code(78))
        #expect(
            result.errors == """
                host: cannot use module "settled": its configuration does not set "baseURL"
                  baseURL  Where to ask
                  fix: give --set settled.baseURL=STRING

                """)
        #expect(try await root.host("run", "list").ending == .code(0))
    }

    @Test("The command line overrides host.json, which overrides the manifest's default")
    func precedence() async throws {
        let root = try await root()
        try root.folder.write(
            #"{"state": "kept", "set": {"settled": {"baseURL": "http://file", "limit": 3}}}"#, to: "root/host.json")
        let state = "\(root.path)/kept/modules/settled"
        #expect(try await root.host("run", "settled").text == "http://file 3 \(state)\n")
        let typed = try await root.host("run", "settled", "--set", "settled.limit=4")
        #expect(typed.text == "http://file 4 \(state)\n")
        let moved = try await root.host("run", "settled", "--state", "\(root.path)/other")
        #expect(moved.text == "http://file 3 \(root.path)/other/modules/settled\n")
    }

    @Test("Without --state a module's folder is in XDG_STATE_HOME")
    func xdg() async throws {
        let root = try await root()
        let result = try await root.host(
            "run", "settled", "--set=settled.baseURL=http://x", environment: ["XDG_STATE_HOME": "\(root.path)/xdg"])
        #expect(result.text == "http://x 10 \(root.path)/xdg/viper-host/modules/settled\n")
    }

    @Test("An invalid value in host.json refuses only its module, and a typed one is an error")
    func invalidValues() async throws {
        let root = try await root()
        try root.folder.write(#"{"set": {"settled": {"limit": "many"}, "gone": {"x": 1}}}"#, to: "root/host.json")
        let refused = try await root.host("run", "settled")
        #expect(refused.ending == .code(78))
        let warning = "host.json $.set.gone.x: unknown module \"gone\"; install the module, or remove its name"
        #expect(refused.errors.contains("host: warning: \(warning)\n"))
        #expect(
            refused.errors.contains(
                "host: cannot use \"host.json $.set.settled.limit\": \"limit\" is \"many\", expected an integer\n"),
            "\(refused)")
        #expect(try await root.host("run", "list").ending == .code(0))
        let typed = try await root.host("run", "list", "--set", "settld.limit=1")
        #expect(typed.ending == .code(78))
        #expect(
            typed.errors == """
                host: cannot use "--set settld.limit": unknown module "settld"
                  fix: write settled.limit

                """)
    }

    @Test("An unknown module to isolate is an error of --isolate, and a warning for host.json")
    func isolated() async throws {
        let root = try await root()
        try root.folder.write(#"{"isolate": ["gone"]}"#, to: "root/host.json")
        let result = try await root.host("run", "list")
        #expect(result.ending == .code(0))
        #expect(
            result.errors == """
                host: warning: host.json $.isolate: unknown module "gone"; install the module, or remove its name

                """)
        let typed = try await root.host("run", "list", "--isolate", "company-lst")
        #expect(typed.ending == .code(78))
        #expect(
            typed.errors == """
                host: cannot isolate "company-lst": no module has this name
                  fix: write --isolate company-list

                """)
    }

    @Test("An unknown provider in host.json is a warning, and refuses only the modules that need the service")
    func unknownProvider() async throws {
        let root = try await root()
        try root.copyManifest("people")
        try root.folder.write(#"{"use": {"data-provider": "gone", "nothing": "x"}}"#, to: "root/host.json")
        let warnings = """
            host: warning: host.json $.use.data-provider: "gone" does not provide the service "data-provider"
            host: warning: host.json $.use.nothing: no module provides the service "nothing"; host services lists all services

            """
        for arguments in [["run", "list"], ["routes"], ["services"], ["--help"]] {
            let result = try await root.host { $0.arguments.insert(contentsOf: arguments, at: 0) }
            #expect(result.ending == .code(0), "\(arguments): \(result)")
            #expect(result.errors.hasPrefix(warnings), "\(arguments): \(result)")
        }
        let people = try await root.host("run", "people")
        #expect(people.ending == .code(78))
        #expect(
            people.errors == warnings + """
                host: cannot use module "people": it requires the service "data-provider", whose chosen provider "gone" does not provide it
                  manifest  Manifests/people.json
                  fix: install "gone", or choose another provider with --use or in host.json

                """)
        let chosen = try await root.host("run", "people", "--use", "data-provider=json", "--state", "\(root.path)/s")
        #expect(chosen.ending == .code(0), "\(chosen)")
        let typed = try await root.host("run", "list", "--use", "data-provider=gone")
        #expect(typed.ending == .code(78))
        #expect(typed.errors.contains("cannot use provider \"data-provider=gone\""))
    }

    @Test("host.json that isolates a provider refuses only that module, and --isolate of it is an error")
    func isolatedProvider() async throws {
        let root = try await root()
        try root.copyManifest("http-client")
        try root.folder.write(#"{"isolate": ["http-client"]}"#, to: "root/host.json")
        let list = try await root.host("run", "list")
        #expect(list.ending == .code(0) && list.errors.isEmpty, "\(list)")
        let modules = try await root.host("modules")
        #expect(
            modules.text.contains(
                "cannot isolate \"http-client\": it provides \"http-client\", and a service cannot be used from another process"
            ),
            "\(modules)")
        let typed = try await root.host("run", "list", "--isolate", "http-client")
        #expect(typed.ending == .code(78))
    }

    @Test("The error for a missing data folder says whether it comes from host.json or from --data")
    func missingFolder() async throws {
        let root = try await root()
        let typed = try await root.host("run", "list", "--data", "\(root.path)/no")
        #expect(typed.ending == .code(66))
        #expect(typed.errors.hasPrefix("host: cannot use --data \"\(root.path)/no\": it is not a folder\n"))
        try root.folder.write(#"{"data": ["no"]}"#, to: "root/host.json")
        let file = try await root.host("run", "list")
        #expect(file.ending == .code(66))
        #expect(
            file.errors.hasPrefix("host: cannot use \"data\" of host.json \"\(root.path)/no\": it is not a folder\n"))
    }

    @Test("A malformed setting is a usage error", arguments: ["limit=1", "settled.=1", "settled.limit", ".limit=1"])
    func malformed(text: String) async throws {
        let result = try await root().host("run", "list", "--set", text)
        #expect(result.ending == .code(64))
        #expect(result.errors.contains("expected MODULE.KEY=VALUE"))
    }
}
