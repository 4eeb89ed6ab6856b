import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

/// How a module comes to life: on the first open, once, with its providers first.
@MainActor
@Suite(.hangLimit)
struct ActivationTests {
    private func states(_ host: ViperHost) -> [String] {
        host.registry.snapshot.modules.map { "\($0.name) \($0.state.name)" }
    }

    private func failure(_ host: ViperHost, _ route: String) async throws -> ViperError {
        try await #require(throws: ViperError.self) { _ = try await host.opened(route) }
    }

    /// A host with a provider and two modules, of which one needs it.
    private func trio() throws -> ViperHost {
        try linkedHost([
            (ModuleEntry(Screens.self), manifestText("user", routes: ["greet"], requires: ["greeting"])),
            (ModuleEntry(Greeter.self), manifestText("greeter", provides: ["greeting"])),
            (ModuleEntry(Screens.self), manifestText("other", routes: ["other"])),
        ])
    }

    @Test("a host makes no module until one is needed")
    func lazy() async throws {
        let script = Script()
        try Script.$current.withValue(script) {
            let host = try trio()
            #expect(states(host) == ["greeter resolved", "other resolved", "user resolved"])
            #expect(host.registry.snapshot.routes.all.count == 2)
        }
        #expect(script.steps.all.isEmpty)
    }

    @Test("opening a route makes its module and no other")
    func one() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try trio()
            _ = try await host.opened("other")
            #expect(states(host) == ["greeter resolved", "other active", "user resolved"])
        }
        #expect(script.steps.all == ["make screens", "view other"])
    }

    @Test("a provider is made and wired before the module that needs it, its service at the first need")
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
                == ["make greeter", "wire greeter", "make screens", "view greet", "make greeting", "view greet"])
    }

    @Test("a hundred tasks that open a module's routes for the first time make one module")
    func hundred() async throws {
        let script = Script()
        try await Script.$current.withValue(script) {
            let host = try trio()
            let titles = await atOnce(100) { try? await host.opened("greet").screen.title }
            #expect(titles == Array(repeating: "Hello", count: 100))
        }
        #expect(script.steps.all.filter { $0.hasPrefix("make") } == ["make greeter", "make screens", "make greeting"])
    }

    @Test("an initialiser that throws refuses its module, and every later open gives the same error")
    func throwing() async throws {
        let script = Script(failing: "make screens")
        try await Script.$current.withValue(script) {
            let host = try linkedHost([(ModuleEntry(Screens.self), manifestText("a", routes: ["x", "y"]))])
            let error = try await failure(host, "x")
            #expect(
                error
                    == ViperError(.moduleFailed, "cannot make module", "a", cause: "it threw the test says so"))
            #expect(try await failure(host, "x") == error)
            #expect(try await failure(host, "y") == error)
            #expect(host.registry.snapshot.modules.map(\.state) == [.refused(error)])
        }
        #expect(script.steps.all == ["make screens"])
    }

    @Test("a hundred tasks get one error when the module cannot be made")
    func hundredErrors() async throws {
        let script = Script(failing: "make screens")
        try await Script.$current.withValue(script) {
            let host = try linkedHost([(ModuleEntry(Screens.self), manifestText("a", routes: ["x"]))])
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

    @Test("a scene that cannot be assembled leaves the module active")
    func viewThrows() async throws {
        let script = Script(failing: "view x")
        try await Script.$current.withValue(script) {
            let host = try linkedHost([(ModuleEntry(Screens.self), manifestText("a", routes: ["x", "y"]))])
            let error = try await failure(host, "x")
            #expect(error.summary == "cannot open route \"x\": it threw the test says so")
            #expect(states(host) == ["a active"])
            #expect(try await host.opened("y").screen.title == "y")
        }
    }

    @Test("a service that the manifest does not require is denied to a running module, with the way to mend it")
    func denied() async throws {
        let host = try linkedHost([(ModuleEntry(Screens.self), manifestText("a", routes: ["greet"]))])
        let error = try await failure(host, "greet")
        #expect(error.cause == "cannot give service \"greeting\": the module \"a\" does not require it")
        #expect(error.mend?.hasPrefix("add \"greeting\" to \"requires\" in ") == true)
    }

    @Test("a manifest with routes needs a module that answers them, one with services a module that provides them")
    func mismatch() async throws {
        let host = try linkedHost([
            (ModuleEntry(Greeter.self), manifestText("a", routes: ["x"])),
            (ModuleEntry(Screens.self), manifestText("b", routes: ["y"], provides: ["s"])),
        ])
        let routes = try await failure(host, "x")
        #expect(
            routes.summary == "cannot use module \"a\": its manifest has \"routes\", and its code is no RoutedModule")
        #expect(routes.mend == "conform the module to RoutedModule, or remove \"routes\"")
        let services = try await failure(host, "y")
        #expect(services.cause == "its manifest has \"provides\", and its code is no ServiceModule")
        #expect(states(host) == ["a refused", "b refused"])
    }

    @Test(
        "a provider that fails refuses those that need it with its reason, and nothing else",
        arguments: [
            ("make greeter", "cannot make module \"greeter\": it threw the test says so"),
            ("wire greeter", "cannot wire module \"greeter\": it threw the test says so"),
            (
                "register",
                "cannot wire module \"greeter\": cannot register service \"greeting\": the manifest of \"greeter\" "
                    + "provides it, and its code does not"
            ),
        ])
    func providerFails(step: String, summary: String) async throws {
        let script = Script(failing: step)
        try await Script.$current.withValue(script) {
            let host = try trio()
            for _ in 1...2 {
                let error = try await failure(host, "greet")
                #expect(error.code == .requirementUnmet)
                #expect(error.summary == "cannot use module \"user\": its provider \"greeter\" cannot be used")
                #expect(error.notes.first == .init("because", summary))
            }
            #expect(states(host) == ["greeter refused", "other resolved", "user refused"])
            #expect(try await host.opened("other").screen.title == "other")
        }
        #expect(!script.steps.all.contains("make greeting"))
    }

    @Test("a service whose factory throws fails the scene that needs it, and the module stays active")
    func factoryThrows() async throws {
        let script = Script(failing: "make greeting")
        try await Script.$current.withValue(script) {
            let host = try trio()
            let error = try await failure(host, "greet")
            #expect(
                error.cause
                    == "cannot make service \"greeting\": its provider \"greeter\" failed: the test says so")
            #expect(states(host) == ["greeter active", "other resolved", "user active"])
        }
    }
}
