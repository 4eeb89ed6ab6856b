import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

struct ServiceContainerTests {
    private let container = ServiceContainer()
    private let tally = Tally()

    private func failure(_ key: ServiceKey<Numbered>, _ services: ModuleServices) throws -> ViperError {
        try #require(throws: ViperError.self) { try services.resolve(key) }
    }

    @Test("A singleton is made at first use and shared by all modules")
    func singleton() throws {
        container.provide(.a) { [tally] _ in Numbered(tally.next()) }
        #expect(tally.count == 0)
        #expect(try container.services("m", "a").resolve(.a) === container.services("n", "a").resolve(.a))
        #expect(tally.count == 1)
    }

    @Test("A transient service is made for each request")
    func transient() throws {
        container.provide(.a, scope: .transient) { [tally] _ in Numbered(tally.next()) }
        let services = container.services("m", "a")
        #expect(try [services.resolve(.a).number, services.resolve(.a).number] == [1, 2])
    }

    @Test("A service that the manifest does not require is denied, even if it exists")
    func denied() throws {
        container.provide(.a) { _ in Numbered(1) }
        let expected = ViperError(
            .serviceDenied, "cannot resolve service", "a", cause: "the module \"m\" does not require it",
            notes: [.init("requested by", "module m → a")],
            recoverySuggestion: "add \"a\" to \"requires\" in Manifests/m.json")
        #expect(try failure(.a, container.services("m", "b")) == expected)
    }

    @Test("The error for a missing service names the module and the closest name")
    func missing() throws {
        let near = ServiceKey<Numbered>("clock")
        _ = container.register(near, provider: "p", scope: .singleton) { _ in Numbered(1) }
        let expected = ViperError(
            .serviceMissing, "cannot resolve service", "clok", cause: "no module provides it",
            notes: [.init("requested by", "module m → clok"), .init("did you mean", "clock")])
        #expect(try failure(ServiceKey("clok"), container.services("m", "clok")) == expected)
    }

    @Test("The error for a missing service names the whole chain of requests")
    func chain() throws {
        container.provide(.a) { try $0.resolve(.b) }
        container.provide(.b) { try $0.resolve(.c) }
        let error = try failure(.a, container.services("m", "a"))
        #expect(error.code == .serviceMissing)
        #expect(error.subject == "c")
        #expect(error.notes.first == .init("requested by", "module m → a → b → c"))
    }

    @Test("A name can be registered once, and again after its provider is removed")
    func register() throws {
        #expect(container.provide(.a) { _ in Numbered(1) })
        #expect(!container.provide(.a) { _ in Numbered(2) })
        #expect(try container.services("m", "a").resolve(.a).number == 1)
        #expect(container.names(from: "pa") == ["a"])
        container.removeAll(from: "pa")
        #expect(container.names.isEmpty)
        #expect(try failure(.a, container.services("m", "a")).code == .serviceMissing)
        #expect(container.provide(.a) { _ in Numbered(2) })
        #expect(try container.services("m", "a").resolve(.a).number == 2)
    }

    @Test("Resolving a service as another type throws, and the correct type still works")
    func wrongType() throws {
        container.provide(.a) { [tally] _ in Numbered(tally.next()) }
        let services = container.services("m", "a")
        let error = try #require(throws: ViperError.self) { try services.resolve(ServiceKey<Int>("a")) }
        #expect(error.code == .serviceType)
        #expect(error.cause == "it is requested as Int, but provided as another type")
        #expect(try services.resolve(.a).number == 1)
        #expect(throws: ViperError.self) { try services.resolve(ServiceKey<Int>("a")) }
        #expect(tally.count == 1)
    }

    @Test("A throwing factory is reported with its provider and its error, and is tried again")
    func throwing() throws {
        struct Broken: Error, CustomStringConvertible { let description = "no line" }
        container.provide(.a) { [tally] _ in
            if tally.next() == 1 { throw Broken() }
            return Numbered(2)
        }
        let services = container.services("m", "a")
        let expected = ViperError(
            .serviceFailed, "cannot create service", "a", cause: "its provider \"pa\" failed: no line",
            notes: [.init("requested by", "module m → a")])
        #expect(try failure(.a, services) == expected)
        #expect(try services.resolve(.a).number == 2)
    }

    @Test("A factory's ViperError is wrapped once, with its notes and its suggested fix")
    func throwingViperError() throws {
        let file = ViperError(
            .fileMissing, "cannot read file", "key.txt", cause: "it does not exist",
            notes: [.init("looked in", "keys")],
            recoverySuggestion: "make one")
        container.provide(.a) { _ in throw file }
        container.provide(.b) { try $0.resolve(.a) }
        let error = try failure(.b, container.services("m", "b"))
        #expect(error.code == .serviceFailed)
        #expect(error.subject == "a")
        #expect(error.cause == "its provider \"pa\" failed: cannot read file \"key.txt\": it does not exist")
        #expect(error.notes == [.init("requested by", "module m → b → a"), .init("looked in", "keys")])
        #expect(error.recoverySuggestion == "make one")
    }

    @Test("A failure resets the chain of requests")
    func chainIsReset() throws {
        container.provide(.a) { try $0.resolve(.b) }
        _ = try failure(.a, container.services("m", "a"))
        #expect(try failure(.b, container.services("m", "b")).notes.first == .init("requested by", "module m → b"))
    }
}
