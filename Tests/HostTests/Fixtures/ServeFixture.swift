import HostDriver

extension ModuleFixture {
    /// A module for serving hosts. Actions that wait do so until the file `$GATE` exists.
    ///
    /// - `wait` suspends, `block` blocks the main actor until the file exists, and `spin` blocks it forever.
    /// - `print` writes to standard output. `later` changes the screen after the response, and `fall` also closes it.
    /// - `child` opens `serve/child`, and `done` closes that with a result. `leave` closes the scene, `finish` changes
    /// it first.
    /// - `many` shows as many rows as `$ROWS`.
    ///
    /// The module logs when a view is freed.
    static let serve = ModuleFixture(
        "Serve",
        """
        import Glibc
        import Observation
        import ViperKit

        @c(viper_entry_v1_Serve)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Serve.self) }

        final class Serve: Module {
            private let logger: any Logger
            init(services: any ServiceResolver) throws { logger = try services.resolve(.logger) }
            static func register(with registrar: Registrar<Serve>) {
                for route in ["serve", "serve/child"] + (0..<40).map({ "r\\($0)" }) {
                    registrar.route(route) { module, request in try module.view(for: request) }
                }
            }

            func view(for request: RouteRequest) throws -> any View {
                ServeView(request.route, logger, request.navigator, try request.parameter("age", as: Int?.self))
            }
            func stop() async { logger.log(.error, "stopped") }
        }

        @Observable
        final class ServeView: View {
            private(set) var screen: Screen
            @ObservationIgnored private let logger: any Logger
            @ObservationIgnored private let navigator: any Navigator

            init(_ route: String, _ logger: any Logger, _ navigator: any Navigator, _ age: Int?) {
                (self.logger, self.navigator) = (logger, navigator)
                screen = Screen(title: route)
                if let age { screen.text = "age \\(age)" }
                screen.actions = [
                    "wait", "block", "spin", "print", "later", "fall", "child", "leave", "done", "many", "finish",
                ].map { Action(id: $0, title: $0) }
                screen.form = Form(fields: [Field(id: "name", label: "Name", value: "", kind: .text)])
            }

            deinit { logger.log(.error, "freed") }

            func load() async { if screen.text == nil { screen.text = "loaded" } }

            func handle(_ event: Event) async {
                switch event {
                case .press("wait"):
                    while !isOpen() && !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
                    screen.text = (screen.text ?? "") + ", waited"
                case .press("block"):
                    logger.log(.error, "blocks")
                    while !isOpen() { usleep(5000) }
                    screen.text = "blocked"
                case .press("spin"):
                    logger.log(.error, "spins")
                    while true { usleep(5000) }
                case .press("print"):
                    print("noise")
                    var byte = UInt8(0)
                    screen.text = "printed, read \\(read(0, &byte, 1))"
                    fflush(nil)
                case .press("later"), .press("fall"):
                    let falls = event == .press(action: "fall")
                    Task { [weak self] in
                        while !isOpen() { try? await Task.sleep(for: .milliseconds(5)) }
                        self?.screen.text = falls ? "fell" : "changed"
                        if falls { await self?.navigator.close() }
                    }
                case .press("child"):
                    do { try await navigator.open("serve/child", as: .push) } catch { screen.text = error.summary }
                case .press("done"):
                    do { try await navigator.close(returning: ["x": [1, 2]]) } catch { screen.text = error.summary }
                case .press("leave"): await navigator.close()
                case .press("finish"):
                    screen.text = "finished"
                    await navigator.close()
                case .press("many"):
                    let count = getenv("ROWS").flatMap { Int(String(cString: $0)) } ?? 1
                    screen.sections = [Section(rows: (0..<count).map { Row(id: "\\($0)", title: "row") })]
                case .fill(_, let text): screen.text = (screen.text ?? "") + " " + text
                case .returned(let route, let result):
                    let numbers = try? result.decode([String: [Int]].self)
                    screen.text = "\\(route) returned \\(numbers?["x"] ?? [])"
                default: screen.text = "\\(event)"
                }
            }
        }

        nonisolated func isOpen() -> Bool { getenv("GATE").map { access($0, F_OK) == 0 } ?? true }
        """)
}

extension ManifestText {
    static var serve: ManifestText {
        var manifest = ManifestText(
            "serve", library: "libServe.so",
            routes: [
                "serve/child",
                #"""
                { "name": "serve", "summary": "Is served",
                  "parameters": [{ "name": "age", "type": "integer", "default": null, "summary": "Years" }] }
                """#,
            ])
        manifest.requires = ["logger"]
        return manifest
    }
}
