import HostDriver

extension ManifestText {
    static var codes: ManifestText {
        let parameters = #""parameters": [{ "name": "code", "type": "string", "summary": "The code to reach" }]"#
        var manifest = ManifestText(
            "codes", library: "libCodes.so",
            routes: [#"{ "name": "codes", "summary": "Shows an error", \#(parameters) }"#])
        manifest.requires = ["file-reader", "json", "data-provider", "http-client", "listening-sockets"]
        manifest.optional = ["telescope"]
        manifest.opens = ["*"]
        return manifest
    }
}

extension ModuleFixture {
    /// A module that makes a mistake with a service, and shows the error with its code.
    static let codes = ModuleFixture(
        "Codes",
        """
        import ViperKit

        @c(viper_entry_v1_Codes)
        public func codesModule() -> UnsafeRawPointer { ModuleEntry.export(Codes.self) }

        final class Codes: Module {
            let services: any ServiceResolver
            init(services: any ServiceResolver) { self.services = services }
            static func register(with registrar: Registrar<Codes>) {
                registrar.route("codes") { module, request in
                    CodesView(try request.parameter("code", as: String.self), module.services, request.navigator)
                }
            }
        }

        struct Note: Record {
            var id: String
        }

        final class CodesView: View {
            var screen = Screen(title: "none")
            private let code: String
            private let services: any ServiceResolver
            private let navigator: any Navigator

            init(_ code: String, _ services: any ServiceResolver, _ navigator: any Navigator) {
                (self.code, self.services, self.navigator) = (code, services, navigator)
            }

            func load() async {
                do { try await reach() } catch {
                    let lines = error.description.split(separator: "\\n").map(String.init)
                    screen = Screen(title: error.code.name)
                    screen.sections = [
                        Section(rows: lines.enumerated().map { Row(id: "\\($0)", title: $1) })
                    ]
                }
            }

            private func reach() async throws(ViperError) {
                switch code {
                case "service-missing": _ = try services.resolve(ServiceKey<String>("telescope"))
                case "service-denied": _ = try services.resolve(.logger)
                case "service-type-mismatch": _ = try services.resolve(ServiceKey<String>("file-reader"))
                case "file-missing": _ = try await file("nothing.json")
                case "file-empty": _ = try await file("empty.json")
                case "file-denied": _ = try await file("../people.json")
                case "file-malformed": _ = try await file("malformed.json")
                case "file-unreadable": _ = try await file("folder.json")
                case "json-invalid": _ = try services.resolve(.json).decode(Int.self, from: Array("x".utf8), named: "text")
                case "record-exists":
                    for _ in 0..<2 { try await provider().insert(Note(id: "1"), into: "notes") }
                case "record-missing": try await provider().replace(Note(id: "2"), in: "notes")
                case "record-invalid": try await provider().insert(Note(id: ""), into: "notes")
                case "http-request-invalid": _ = try await fetch("nowhere")
                case "http-failed": _ = try await fetch("http://127.0.0.1:1")
                case "address-invalid": _ = try services.resolve(.listeningSockets).socket(at: "nowhere")
                case "listening-failed": _ = try services.resolve(.listeningSockets).socket(at: "203.0.113.1:80")
                case "transition-unknown": try await navigator.open("codes", as: Transition(rawValue: "teleport"))
                default: break
                }
            }

            private func file(_ name: String) async throws(ViperError) -> [String] {
                try await services.resolve(.fileReader).decode([String].self, from: name)
            }

            private func provider() async throws(ViperError) -> any DataProvider {
                try await services.resolveOrCreate(.dataProvider)
            }

            private func fetch(_ url: String) async throws(ViperError) -> HTTPResponse {
                try await services.resolveOrCreate(.httpClient).fetch(HTTPRequest(method: "GET", url: url))
            }
        }
        """)
}
