import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

struct ServiceContainerTests {
    private let container = ServiceContainer(timeLimit: Patience.limit)
    private let tally = Tally()

    private func failure(_ key: ServiceKey<Numbered>, _ services: ModuleServices) async throws -> ViperError {
        try await #require(throws: ViperError.self) { try await services.resolveOrCreate(key) }
    }

    @Test("A singleton is made at first use and shared by all modules")
    func singleton() async throws {
        container.provide(.a) { [tally] _ in Numbered(tally.next()) }
        #expect(tally.count == 0)
        let (first, second) = (container.services("m", "a"), container.services("n", "a"))
        #expect(try await first.resolveOrCreate(.a) === second.resolveOrCreate(.a))
        #expect(tally.count == 1)
    }

    @Test("The host's own service, which another module uses, does not stand in for a chosen module that is missing")
    func elsewhere() async throws {
        container.provide(.a) { _ in Numbered(1) }
        let text = #"{"name": "m", "version": "1.0.0", "library": "libM.so", "sdk": "1.0", "optional": ["a"]}"#
        let manifest = try Manifest(text: Data(text.utf8), named: "m.json")
        func services(_ choices: [String: String]) throws -> ModuleServices {
            let wiring = ServiceWiring(hostServices: ["a"], replaceable: ["a": "own"], choices: choices)
            let consumer = try ServiceConsumer(
                manifest, in: "m.json", wiring: wiring, settings: Settings(), resources: nil)
            return ModuleServices(consumer: consumer, own: ServiceContainer(), host: container, providers: [:])
        }
        #expect(try await services([:]).resolveOrCreate(.a).number == 1)
        #expect(try await services(["m.a": "own"]).resolveOrCreate(.a).number == 1)
        #expect(try await failure(.a, services(["m.a": "gone"])).code == .serviceMissing)
    }

    @Test("A per-module service is made once for each module instance")
    func perModule() async throws {
        container.provide(.a, scope: .perModule) { [tally] _ in Numbered(tally.next()) }
        let (first, second) = (container.services("m", "a"), container.services("m", "a"))
        let numbers = try await [
            first.resolveOrCreate(.a).number, second.resolveOrCreate(.a).number, first.resolveOrCreate(.a).number,
        ]
        #expect(numbers == [1, 2, 1])
        #expect(try first.resolve(.a).number == 1)
    }

    @Test("A service that is not ready cannot be resolved, and the error names the method that waits")
    func notReady() async throws {
        container.provide(.a) { _ in Numbered(1) }
        let services = container.services("m", "a")
        let expected = ViperError(
            .serviceNotReady, operation: "cannot resolve service", subject: "a", cause: "it has not been created yet",
            notes: [.init("requested by", "module m → a")],
            fix: "call \"try await resolveOrCreate(_:)\" instead of \"resolve(_:)\"")
        #expect(try #require(throws: ViperError.self) { try services.resolve(.a) } == expected)
        _ = try await container.services("n", "a").resolveOrCreate(.a)
        #expect(try services.resolve(.a).number == 1)
    }

    @Test("A module's required and optional services are ready before its initializer, in the manifest's order")
    func prepared() async throws {
        let steps = Steps()
        struct Broken: Error, CustomStringConvertible { let description = "no line" }
        container.provide(.a) { _ in
            steps.add("a")
            return Numbered(1)
        }
        container.provide(.b) { _ in
            steps.add("b")
            if steps.all.count == 3 { throw Broken() }
            return Numbered(2)
        }
        container.provide(.c, scope: .perModule) { services in
            steps.add("c")
            return Numbered(try await services.resolveOrCreate(.a).number)
        }
        var text = ManifestText("m", library: "libm.so", routes: [])
        (text.requires, text.optional) = (["c"], ["b", "gone"])
        let services = container.services("m", "c", "b", "gone")
        try await services.prepareAll(for: Manifest(text: Data(text.text.utf8), named: "m.json"))
        #expect(steps.all == ["c", "a", "b"])
        #expect(try services.resolve(.c).number == 1)
        let error = try #require(throws: ViperError.self) { try services.resolve(.b) }
        #expect(error.cause == "its provider \"pb\" failed: no line")
        #expect(throws: ViperError.self) { try services.resolve(ServiceKey<Numbered>("gone")) }
        #expect(try await services.resolveOrCreate(.b).number == 2)
        #expect(try services.resolve(.b).number == 2)
    }

    @Test("A service that the manifest does not require is denied, even if it exists")
    func denied() async throws {
        container.provide(.a) { _ in Numbered(1) }
        let expected = ViperError(
            .serviceDenied, operation: "cannot resolve service", subject: "a",
            cause: "the module \"m\" does not require it",
            notes: [.init("requested by", "module m → a")],
            fix: "add \"a\" to \"requires\" in Manifests/m.json")
        #expect(try await failure(.a, container.services("m", "b")) == expected)
    }

    @Test("The error for a missing service names the module and the closest name")
    func missing() async throws {
        let near = ServiceKey<Numbered>("clock")
        _ = container.register(near, provider: "p", scope: .singleton) { _ in Numbered(1) }
        let expected = ViperError(
            .serviceMissing, operation: "cannot resolve service", subject: "clok", cause: "no module provides it",
            notes: [.init("requested by", "module m → clok"), .init("did you mean", "clock")])
        #expect(try await failure(ServiceKey("clok"), container.services("m", "clok")) == expected)
    }

    @Test("The error for a missing service names the whole chain of requests")
    func chain() async throws {
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { try await $0.resolveOrCreate(.c) }
        let error = try await failure(.a, container.services("m", "a"))
        #expect(error.code == .serviceMissing)
        #expect(error.subject == "c")
        #expect(error.notes.first == .init("requested by", "module m → a → b → c"))
    }

    @Test("A name can be registered once, and again after its provider is removed")
    func register() async throws {
        #expect(container.provide(.a) { _ in Numbered(1) })
        #expect(!container.provide(.a) { _ in Numbered(2) })
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 1)
        #expect(container.names == ["a"])
        container.removeAll(from: "pa")
        #expect(container.names.isEmpty)
        #expect(try await failure(.a, container.services("m", "a")).code == .serviceMissing)
        #expect(container.provide(.a) { _ in Numbered(2) })
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 2)
    }

    @Test("Resolving a service as another type throws, and the correct type still works")
    func wrongType() async throws {
        container.provide(.a) { [tally] _ in Numbered(tally.next()) }
        let services = container.services("m", "a")
        let error = try await #require(throws: ViperError.self) {
            try await services.resolveOrCreate(ServiceKey<Int>("a"))
        }
        #expect(error.code == .serviceTypeMismatch)
        #expect(
            error.cause == "it is requested as Swift.Int, but provided as \(String(reflecting: Numbered.self))")
        #expect(try await services.resolveOrCreate(.a).number == 1)
        #expect(throws: ViperError.self) { try services.resolve(ServiceKey<Int>("a")) }
        #expect(tally.count == 1)
    }

    @Test("A throwing factory is reported with its provider and its error, and is tried again")
    func throwing() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "no line" }
        container.provide(.a) { [tally] _ in
            if tally.next() == 1 { throw Broken() }
            return Numbered(2)
        }
        let services = container.services("m", "a")
        let expected = ViperError(
            .serviceFailed, operation: "cannot create service", subject: "a",
            cause: "its provider \"pa\" failed: no line",
            notes: [.init("requested by", "module m → a")])
        #expect(try await failure(.a, services) == expected)
        #expect(try await services.resolveOrCreate(.a).number == 2)
    }

    @Test("A factory's ViperError is wrapped once, with its notes and its suggested fix")
    func throwingViperError() async throws {
        let file = ViperError(
            .fileMissing, operation: "cannot read file", subject: "key.txt", cause: "it does not exist",
            notes: [.init("looked in", "keys")],
            fix: "make one")
        container.provide(.a) { _ in throw file }
        container.provide(.b) { try await $0.resolveOrCreate(.a) }
        let error = try await failure(.b, container.services("m", "b"))
        #expect(error.code == .serviceFailed)
        #expect(error.subject == "a")
        #expect(error.cause == "its provider \"pa\" failed: cannot read file \"key.txt\": it does not exist")
        #expect(error.notes == [.init("requested by", "module m → b → a"), .init("looked in", "keys")])
        #expect(error.fix == "make one")
    }

    @Test("A failure resets the chain of requests")
    func chainIsReset() async throws {
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        _ = try await failure(.a, container.services("m", "a"))
        #expect(
            try await failure(.b, container.services("m", "b")).notes.first == .init("requested by", "module m → b"))
    }
}
