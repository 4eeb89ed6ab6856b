import HostDriver
import ModuleTestSupport
import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import ModuleRuntime

/// Activation of modules: on the first open, once, providers first.
@MainActor
@Suite(.hangLimit)
struct ActivationTests {
    private func states(_ host: HostedModules) -> [String] {
        host.registry.snapshot.modules.map { "\($0.name) \($0.state.name)" }
    }

    private func failure(_ host: HostedModules, _ route: String) async throws -> ViperError {
        try await #require(throws: ViperError.self) { _ = try await host.opened(route) }
    }

    /// Returns a host with a provider, a module that requires it, and an unrelated module.
    private func trio() throws -> HostedModules {
        try linkedHost([
            (Screens.self, manifestText("user", routes: ["greet"], requires: ["greeting"])),
            (Greeter.self, manifestText("greeter", provides: ["greeting"])),
            (Screens.self, manifestText("other", routes: ["other"])),
        ])
    }

    @Test("A host makes no module before one is needed")
    func lazy() async throws {
        let script = Script()
        try Script.$current.withValue(script) {
            let host = try trio()
            #expect(states(host) == ["greeter resolved", "other resolved", "user resolved"])
            #expect(host.registry.snapshot.routes.all.count == 2)
        }
        #expect(script.steps.all.isEmpty)
    }

    @Test("Opening a route makes only its module")
    func one() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try trio()
            _ = try await host.opened("other")
            #expect(states(host) == ["greeter resolved", "other active", "user resolved"])
        }
        #expect(script.steps.all == ["make screens", "view other"])
    }

    @Test("A provider and its service are made before the module that requires it")
    func provider() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try trio()
            #expect(try await host.opened("greet").screen.title == "Hello")
            #expect(try await host.opened("greet").screen.title == "Hello")
            #expect(states(host) == ["greeter active", "other resolved", "user active"])
        }
        #expect(
            script.steps.all
                == ["make greeter", "make greeting", "make screens", "view greet", "view greet"])
    }

    @Test("A hundred concurrent first opens make each module once")
    func hundred() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try trio()
            let titles = await atOnce(100) { try? await host.opened("greet").screen.title }
            #expect(titles == Array(repeating: "Hello", count: 100))
        }
        #expect(script.steps.all.filter { $0.hasPrefix("make") } == ["make greeter", "make greeting", "make screens"])
    }

    @Test("A throwing initializer refuses its module, and later opens throw the same error")
    func throwing() async throws {
        let script = Script(failing: "make screens")
        try await Script.$current.withValue(script) {
            let host = try linkedHost([(Screens.self, manifestText("a", routes: ["x", "y"]))])
            let error = try await failure(host, "x")
            #expect(
                error
                    == ViperError(
                        .moduleFailed, operation: "cannot create module", subject: "a",
                        cause: "it threw the test says so"))
            #expect(try await failure(host, "x") == error)
            #expect(try await failure(host, "y") == error)
            #expect(host.registry.snapshot.modules.map(\.state) == [.refused(error)])
        }
        #expect(script.steps.all == ["make screens"])
    }

    @Test("A hundred concurrent opens throw the same error if the module cannot be made")
    func hundredErrors() async throws {
        let script = Script(failing: "make screens")
        try await Script.$current.withValue(script) {
            let host = try linkedHost([(Screens.self, manifestText("a", routes: ["x"]))])
            let errors = await atOnce(100) { () -> ViperError? in
                do throws(ViperError) {
                    _ = try await host.opened("x")
                    return nil
                } catch { return error }
            }
            #expect(errors.count == 100)
            #expect(errors.allSatisfy { $0?.cause == "it threw the test says so" })
        }
        #expect(script.steps.all == ["make screens"])
    }

    @Test("A view that cannot be made leaves its module active")
    func viewThrows() async throws {
        let script = Script(failing: "view x")
        try await Script.$current.withValue(script) {
            let host = try linkedHost([(Screens.self, manifestText("a", routes: ["x", "y"]))])
            let error = try await failure(host, "x")
            #expect(error.summary == "cannot open route \"x\": it threw the test says so")
            #expect(states(host) == ["a active"])
            #expect(try await host.opened("y").screen.title == "y")
        }
    }

    @Test("A service that the manifest does not require is denied with a suggestion")
    func denied() async throws {
        let host = try linkedHost([(Screens.self, manifestText("a", routes: ["greet"]))])
        let error = try await failure(host, "greet")
        #expect(error.cause == "cannot resolve service \"greeting\": the module \"a\" does not require it")
        #expect(error.fix?.hasPrefix("add \"greeting\" to \"requires\" in ") == true)
    }

    @Test("A module is refused if its code lacks the routes or services of its manifest")
    func mismatch() async throws {
        let host = try linkedHost([
            (Greeter.self, manifestText("a", routes: ["x"])),
            (Screens.self, manifestText("b", routes: ["y"], provides: ["s"])),
        ])
        let routes = try await failure(host, "x")
        #expect(
            routes.summary
                == "cannot use module \"a\": its manifest declares the route \"x\", but its code does not register it")
        #expect(routes.fix == "register in register(with:) exactly what the manifest declares")
        let services = try await failure(host, "y")
        #expect(services.cause == "its manifest declares the service \"s\", but its code does not register it")
        #expect(states(host) == ["a refused", "b refused"])
    }

    @Test(
        "A failing provider refuses the modules that require it, and no others",
        arguments: [
            ("make greeter", "cannot create module \"greeter\": it threw the test says so"),
            (
                "register",
                "cannot use module \"greeter\": its manifest declares the service \"greeting\", "
                    + "but its code does not register it"
            ),
        ])
    func providerFails(step: String, summary: String) async throws {
        let script = Script(failing: step)
        try await Script.$current.withValue(script) {
            let host = try trio()
            for _ in 1...2 {
                let error = try await failure(host, "greet")
                #expect(error.code == .requirementUnmet)
                let cause = #"it requires the service "greeting", whose provider "greeter" is refused"#
                #expect(error.summary == "cannot use module \"user\": \(cause)")
                #expect(error.notes.contains(.init("because", summary)))
            }
            #expect(states(host) == ["greeter refused", "other resolved", "user refused"])
            #expect(try await host.opened("other").screen.title == "other")
        }
        #expect(!script.steps.all.contains("make greeting"))
    }

    @Test("A throwing service factory fails the open, refuses no module, and runs again at the next open")
    func factoryThrows() async throws {
        let script = Script(failing: "make greeting")
        try await Script.$current.withValue(script) {
            let host = try trio()
            for _ in 1...2 {
                let error = try await failure(host, "greet")
                #expect(error.code == .serviceFailed)
                #expect(
                    error.summary
                        == "cannot create module \"user\": cannot create service \"greeting\": "
                        + "its provider \"greeter\" failed: the test says so")
                #expect(error.notes.first == .init("requested by", "module user → greeting"))
            }
            #expect(states(host) == ["greeter active", "other resolved", "user resolved"])
        }
        #expect(script.steps.all == ["make greeter", "make greeting", "make greeting"])
    }

    @Test("A slow factory delays only the module that requires its service")
    func slowFactory() async throws {
        let (isMaking, mayGoOn) = (Gate(), Gate())
        let services = ServiceContainer(timeLimit: Patience.limit)
        _ = services.register(.greeting, provider: "the test", scope: .singleton) { _ in
            isMaking.open()
            await mayGoOn.pass()
            return Slow()
        }
        let host = try linkedHost(
            [
                (Screens.self, manifestText("user", routes: ["greet"], requires: ["greeting"])),
                (Screens.self, manifestText("other", routes: ["other"])),
            ], services: services)
        let other = try await host.opened("other")
        let greeting = Task { try await host.opened("greet").screen.title }
        await isMaking.pass()
        try await other.handle(.press(action: "go"))
        #expect(other.screen.text == "press(action: \"go\")")
        #expect(try await host.opened("other").screen.title == "other")
        mayGoOn.open()
        #expect(try await greeting.value == "Slow")
    }

    @Test("A factory that never returns fails the open after the time limit, with the module and the service")
    func hangingFactory() async throws {
        let never = Gate()
        let services = ServiceContainer(timeLimit: .milliseconds(50))
        _ = services.register(.greeting, provider: "the test", scope: .singleton) { _ in
            await never.pass()
            return Slow()
        }
        let host = try linkedHost(
            [(Screens.self, manifestText("user", routes: ["greet"], requires: ["greeting"]))],
            services: services)
        let error = try await failure(host, "greet")
        #expect(
            error.summary
                == "cannot create module \"user\": cannot create service \"greeting\": "
                + "its provider \"the test\" took too long; the limit is 0.05 s")
        #expect(error.notes == [.init("requested by", "module user → greeting")])
        #expect(states(host) == ["user resolved"])
        never.open()
    }

    @Test("A provider that retires while its service is made stops afterwards, and its service is freed")
    func retiredWhileMaking() async throws {
        let (script, gates) = (Script(), SlowGreeter.Gates())
        try await Script.$current.withValue(script) {
            try await SlowGreeter.Gates.$current.withValue(gates) {
                let host = try linkedHost([
                    (Screens.self, manifestText("user", routes: ["greet"], requires: ["greeting"])),
                    (SlowGreeter.self, manifestText("greeter", provides: ["greeting"])),
                ])
                let opening = Task { try await host.opened("greet") }
                await gates.isMaking.pass()
                let retirement = Task { try await host.retire("greeter") }
                #expect(
                    await eventually {
                        host.registry.snapshot.modules.first { $0.name == "greeter" }?.state == .retired
                    })
                gates.mayGoOn.open()
                let error = try await #require(throws: ViperError.self) { try await opening.value }
                #expect(error.code == .requirementUnmet)
                try await retirement.value
                #expect(await eventually { gates.made.withLock { $0.service } == nil })
            }
        }
        #expect(script.steps.all == ["make screens", "stop screens", "stop greeter"])
    }
}

private final class Slow: Greeting {
    let text = "Slow"
}

/// A module whose service is made only after a gate is opened.
private final class SlowGreeter: Module {
    final class Gates: Sendable {
        @TaskLocal static var current = Gates()

        struct Weak {
            weak var service: Slow?
        }

        let (isMaking, mayGoOn) = (Gate(), Gate())
        let made = Mutex(Weak())
    }

    private let (script, gates) = (Script.current, Gates.current)

    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<SlowGreeter>) {
        registrar.service(.greeting, .singleton) { module, _ in
            module.gates.isMaking.open()
            await module.gates.mayGoOn.pass()
            let service = Slow()
            module.gates.made.withLock { $0.service = service }
            return service
        }
    }

    func stop() async { script.steps.add("stop greeter") }
}
