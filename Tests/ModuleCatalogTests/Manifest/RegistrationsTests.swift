import Foundation
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

/// Registered routes and services, compared with those that a manifest declares.
struct RegistrationsTests {
    private func manifest(_ routes: [String], _ services: [String]) throws -> Manifest {
        try Manifest(text: Data(manifestText("m", routes: routes, provides: services).utf8), named: "m.json")
    }

    private func registrations(_ routes: [String], _ services: [String]) -> Registrations {
        Registrations(routes: routes, services: services.map { ($0, .singleton) })
    }

    @Test("Registrations that equal the manifest in any order have no differences")
    func equal() throws {
        let (manifest, registrations) = (
            try manifest(["a", "b"], ["s", "t"]), registrations(["b", "a"], ["t", "s"])
        )
        #expect(manifest.unkeptPromises(by: registrations) == [])
        #expect(manifest.undeclared(of: registrations) == [])
    }

    @Test("A declared route or service that the code does not register is an unkept promise")
    func missing() throws {
        #expect(
            try manifest(["a", "b"], ["s"]).unkeptPromises(by: registrations(["b"], [])) == [
                "its manifest declares the route \"a\", but its code does not register it",
                "its manifest declares the service \"s\", but its code does not register it",
            ])
    }

    @Test("A registered route or service that the manifest does not declare keeps all promises, and is found")
    func undeclared() throws {
        let (manifest, registrations) = (try manifest(["a"], []), registrations(["a", "b"], ["s"]))
        #expect(manifest.unkeptPromises(by: registrations) == [])
        #expect(
            manifest.undeclared(of: registrations) == [
                "its code registers the route \"b\", but its manifest does not declare it",
                "its code registers the service \"s\", but its manifest does not declare it",
            ])
    }

    @Test("A route or service that is registered twice, and an unknown scope, are unkept promises")
    func invalid() throws {
        var registrations = registrations(["a", "a"], ["s", "s"])
        #expect(
            try manifest(["a"], ["s"]).unkeptPromises(by: registrations) == [
                "its code registers the route \"a\" twice", "its code registers the service \"s\" twice",
            ])
        registrations = Registrations(routes: [], services: [("s", ServiceScope(rawValue: "per-scene"))])
        #expect(
            try manifest([], ["s"]).unkeptPromises(by: registrations) == [
                "the service \"s\" has the scope \"per-scene\", expected \"singleton\" or \"per-module\""
            ])
    }
}
