import Foundation
import HostDriver
import TestSupport
import Testing

/// A root outside the checkout, with sources of a contract, a provider and modules that use it. A copy of the host with
/// nothing but ViperKit beside it builds them, as on the machine of a module's author.
struct ContractFixture {
    let root: ScratchRoot
    var sources: String { "\(root.folder.path)/sources" }

    init() async throws {
        let installation = try ScratchFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: "\(installation.path)/Modules", withIntermediateDirectories: true)
        let modules = try files.contentsOfDirectory(atPath: "\(Products.folder)/Modules")
            .filter { $0.hasPrefix("ViperKit.") }.map { "Modules/\($0)" }
        for item in ["host", "libViperKit.so"] + modules {
            let copied = try await ChildProcess(
                "cp", ["-r", "\(Products.folder)/\(item)", "\(installation.path)/\(item)"]
            ).run()
            try #require(copied.ending == .code(0), "\(copied)")
        }
        self.installation = installation
        root = try ScratchRoot(executable: "\(installation.path)/host")
        try files.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
        try files.removeItem(atPath: "\(root.path)/Plugins/CompanyList")
        try files.createDirectory(atPath: sources, withIntermediateDirectories: true)
    }

    private let installation: ScratchFolder

    /// Runs the host in the folder with the sources, without a root.
    func host(_ arguments: String...) async throws -> ChildResult {
        var child = ChildProcess(root.executable, arguments, environment: root.environment)
        child.workingFolder = sources
        return try await child.run()
    }

    func build(_ source: String) async throws -> ChildResult { try await root.host("build", "\(sources)/\(source)") }

    func expectBuilt(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let result = try await build(source)
        try #require(result.ending == .code(0), "\(result)", sourceLocation: sourceLocation)
        #expect(result.errors == "", sourceLocation: sourceLocation)
    }

    /// Writes a contract. The folder's name is that of the Swift module, whatever the version.
    ///
    /// - Parameter declarations: Declarations in addition to those of version 1.0.
    func writeContract(_ version: String, _ declarations: String = "", requirement: String = "") throws {
        let source = """
            public import ViperKit

            public protocol Greeter: Sendable {
                func greet(_ name: String) async throws(ViperError) -> Greeting
                \(requirement)
            }

            public struct Greeting: Sendable, Equatable {
                public var text: String
                public init(text: String) { self.text = text }
            }

            extension ServiceKey where Service == any Greeter {
                public static var greeter: Self { Self("greeter") }
            }

            \(declarations)
            """
        try root.folder.write(source, to: "sources/GreeterAPI/Greeter.swift")
        let manifest =
            #"{ "kind": "contract", "name": "greeter-api", "version": "\#(version)", "#
            + #""library": "libGreeterAPI.so", "sdk": "1.0" }"#
        try root.folder.write(manifest, to: "sources/GreeterAPI/greeterapi.json")
    }

    /// Writes version 1.1, which adds a requirement with a default implementation.
    func writeContract11() throws {
        try writeContract(
            "1.1.0", "extension Greeter { public func farewell(_ name: String) -> String { \"Bye, \\(name)\" } }",
            requirement: "func farewell(_ name: String) -> String")
    }

    /// Writes a module that provides the service. Its greetings count all calls of its one instance.
    func writeProvider() throws {
        try write(
            "Provider", #""provides": ["greeter"], "contracts": { "greeter-api": "1.0" }"#,
            """
                static func register(with registrar: Registrar<Provider>) {
                    registrar.service(.greeter, .singleton) { _, _ in Polite() }
                }
                init(services: any ServiceResolver) {}
            }

            actor Polite: Greeter {
                private var calls = 0

                func greet(_ name: String) async throws(ViperError) -> Greeting {
                    calls += 1
                    return Greeting(text: "Good day \\(calls), \\(name)")
                }
            """)
    }

    /// Writes a module with a route that shows a text which it gets from the service.
    ///
    /// - Parameters:
    ///   - contracts: The manifest's `contracts`, or nothing.
    ///   - expression: The text, as an expression of `greeter`.
    ///   - keys: Further keys of the manifest.
    func writeUser(
        _ name: String, _ contracts: String = #"{ "greeter-api": "1.0" }"#,
        showing expression: String = "try? await greeter.greet(\"Ann\").text", keys: String = ""
    ) throws {
        let route = #""routes": [{ "name": "\#(name.lowercased())", "summary": "Shows a text" }], "#
        let used = contracts.isEmpty ? "" : #", "contracts": \#(contracts)"#
        try write(
            name, route + #""requires": ["greeter"]"# + used + keys,
            """
                let greeter: any Greeter
                init(services: any ServiceResolver) throws { greeter = try services.resolve(.greeter) }
                static func register(with registrar: Registrar<\(name)>) {
                    registrar.route("\(name.lowercased())") { module, _ in TextView(module.greeter) }
                }
            }

            final class TextView: View {
                private let greeter: any Greeter
                private(set) var screen = Screen(title: "\(name)")
                init(_ greeter: any Greeter) { self.greeter = greeter }
                func load() async { screen.text = \(expression) }
            """)
    }

    /// Writes a module that uses version 1.1.
    func writeUser11(contracts: String = #"{ "greeter-api": "1.1" }"#) throws {
        try writeUser("Bye", contracts, showing: "greeter.farewell(\"Ann\")")
    }

    /// Writes a module without screens, which logs a greeting of the service.
    func writeRunner(isolation: String) throws {
        try write(
            "Runner",
            #""runs": true, "isolation": "\#(isolation)", "requires": ["greeter", "logger"], "#
                + #""contracts": { "greeter-api": "1.0" }"#,
            """
                let (greeter, logger): (any Greeter, any Logger)
                init(services: any ServiceResolver) throws {
                    (greeter, logger) = (try services.resolve(.greeter), try services.resolve(.logger))
                }
                static func register(with registrar: Registrar<Runner>) {}
                nonisolated func run() async throws {
                    let text = try await greeter.greet("Ann").text
                    logger.log(.info, "\\(text)")
                }
            """)
    }

    private func write(_ name: String, _ keys: String, _ members: String) throws {
        let source = """
            import GreeterAPI
            import ViperKit

            @c(viper_entry_v1_\(name))
            public func entry() -> UnsafeRawPointer { ModuleEntry.export(\(name).self) }

            final class \(name): Module {
            \(members)
            }
            """
        try root.folder.write(source, to: "sources/\(name)/\(name).swift")
        let manifest =
            #"{ "name": "\#(name.lowercased())", "version": "1.0.0", "library": "lib\#(name).so", "sdk": "1.0", "#
            + keys + " }"
        try root.folder.write(manifest, to: "sources/\(name)/\(name.lowercased()).json")
    }

    func library(_ name: String) -> String { "\(root.path)/Plugins/lib\(name).so" }

    /// Replaces the manifest in a library of the root, as an author with another tool could.
    func pack(_ name: String, into library: String) async throws {
        let result = try await host("pack", library, "\(sources)/\(name)/\(name.lowercased()).json")
        try #require(result.ending == .code(0), "\(result)")
    }

    /// Replaces a library of the root by renaming, so that a running host never reads an incomplete one.
    func replace(_ name: String, by library: String) throws {
        let new = "\(root.folder.path)/new.so"
        try FileManager.default.copyItem(atPath: library, toPath: new)
        try #require(rename(new, self.library(name)) == 0)
    }

    /// Keeps a copy of a library of the root, and returns its path.
    func keep(_ name: String) throws -> String {
        let kept = "\(root.folder.path)/\(UUID()).so"
        try FileManager.default.copyItem(atPath: library(name), toPath: kept)
        return kept
    }
}
