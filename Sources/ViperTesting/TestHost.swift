import FoundationEssentials
import ModuleCatalog
import ModuleRuntime
public import Testing
public import ViperKit

/// A host for a module under test, and for the modules that it works with. It uses the real registry, router, and
/// container. It gets services from the test, and does not load a shared library.
///
/// ```swift
/// let host = try TestHost(CompanyListModule.self, manifest: "company-list.json") { services in
///     services.provide(.fileReader, FakeFileReader(["company.json": "[]"]))
/// }
/// let scene = try await host.open("list")
/// #expect(scene.screen.alert?.title == "No content to show")
/// await scene.expectDeallocated()
/// ```
///
/// As in a real host, a module can access only the services that its manifest lists. If a required service is missing,
/// the host refuses the module. If a scene opens a route of another module that `opens` in its manifest does not name,
/// the host records an issue.
@MainActor
public final class TestHost {
    private let host: HostedModules
    private let setup: TestSetup
    private let file: String
    private let sourceLocation: SourceLocation

    /// Creates a host with a module, and with the modules that the closure adds.
    ///
    /// - Parameters:
    ///   - type: The module's type.
    ///   - manifest: The path of the manifest, or a file name. A file name is looked up in a `Manifests` folder beside
    ///     the test file, and then in the `Manifests` folder of each parent folder.
    ///   - testFile: The source file of the test.
    ///   - sourceLocation: The source location of the recorded issues.
    ///   - provide: A closure that provides the services that the modules require. It can also add modules, stubs of
    ///     routes, and contributions.
    /// - Throws: An error if the host refuses a module, for example because the manifest is invalid or a required
    ///   service is missing.
    public init(
        _ type: any Module.Type, manifest: String, testFile: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation, provide: (inout TestSetup) -> Void
    ) throws(ViperError) {
        var setup = TestSetup()
        setup.add(type, manifest: manifest)
        provide(&setup)
        (self.setup, self.sourceLocation) = (setup, sourceLocation)
        file = manifestPath(manifest, near: testFile)
        var types: [String: any Module.Type] = [:]
        for module in setup.modules { types[manifestPath(module.manifest, near: testFile)] = module.type }
        var entries = types.keys.sorted().map { CatalogEntry(manifestPath: $0) }
        if !setup.contributions.isEmpty {
            types[Contributor.file] = Contributor.self
            entries.append(Contributor.entry(setup.contributions))
        }
        host = HostedModules(entries, linkedTo: types, services: setup.container) { [stubs = setup.stubs] router in
            TestScenes(router: router, stubs: stubs, sourceLocation: sourceLocation)
        }
        for module in host.registry.snapshot.modules { if let refusal = module.state.refusal { throw refusal } }
    }

    /// Opens a route and waits until its screen is settled.
    ///
    /// - Throws: The errors of ``ViperKit/Navigator/open(_:parameters:as:)``.
    public func open(
        _ route: String, _ parameters: [String: ParameterValue] = [:]
    ) async throws(ViperError) -> TestScene {
        let scene = try await assemble(route, parameters)
        await scene.load()
        return scene
    }

    /// Opens the route of the arguments and waits until its screen is settled.
    ///
    /// - Throws: The errors of ``ViperKit/Navigator/open(_:parameters:as:)`` and of
    ///   ``RouteArguments/encodedParameters()``.
    public func open<Arguments: RouteArguments>(_ arguments: Arguments) async throws(ViperError) -> TestScene {
        try await open(Arguments.route, arguments.encodedParameters())
    }

    /// Opens a route without starting the scene's work. The test can inspect the scene before it calls
    /// ``TestScene/load()``.
    ///
    /// - Throws: The errors of ``ViperKit/Navigator/open(_:parameters:as:)``.
    public func assemble(
        _ route: String, _ parameters: [String: ParameterValue] = [:]
    ) async throws(ViperError) -> TestScene {
        // Objects that exist before the scene may outlive it. These are the services, the modules, and all objects that
        // the modules hold.
        var outliving = setup.services
        if let module = try await host.module(fromManifest: file) { outliving.append(module) }
        for other in host.registry.snapshot.modules where other.file != file {
            // If a module cannot be created, opening one of its routes throws the reason.
            if let module = try? await host.module(fromManifest: other.file) { outliving.append(module) }
        }
        let scenes = TestScenes(router: host.router, stubs: setup.stubs, sourceLocation: sourceLocation)
        return try await TestScene(opening: route, parameters, in: scenes, outliving: ObjectGraph(of: outliving))
    }

    /// Returns the service that the module under test provides for a key.
    ///
    /// - Throws: An error if the module cannot be used, or if the service's factory throws.
    public func provided<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
        try await host.provided(key, fromManifest: file)
    }

    /// Calls the ``ViperKit/Module/run()`` of the module under test once, and returns when it returns. If the test cancels the task that
    /// calls this method, `run()` is cancelled, as when a host retires the module.
    ///
    /// - Throws: The error that `run()` throws, as a ``ViperError`` with the code `module-failed`.
    public func run() async throws(ViperError) { try await host.run(fromManifest: file) }

    /// The state of the module under test in the registry, or nil if the registry does not contain the module.
    public var state: ListedModule.State? {
        host.registry.snapshot.module(from: file).map { ListedModule.State(rawValue: $0.state.name) }
    }

    /// Retires all modules. Returns after their last scene has closed and the modules have stopped.
    public func retire() async { await host.shutDown() }
}

/// The module that contributes what a test contributes.
private final class Contributor: Module {
    static let file = "the test's contributions"

    init(services: any ServiceResolver) {}

    static func register(with registrar: Registrar<Contributor>) {}

    /// Returns the module's entry in a catalog.
    ///
    /// - Parameter contributions: The contributions as JSON texts, keyed by point.
    static func entry(_ contributions: [String: [String]]) -> CatalogEntry {
        let points = contributions.sorted { $0.key < $1.key }.map { "\"\($0)\": [\($1.joined(separator: ", "))]" }
        let text = """
            {"name": "test-contributions", "version": "1.0.0", "library": "libTest.so", "sdk": "\(SDK.version)",
             "contributes": {\(points.joined(separator: ", "))}}
            """
        return CatalogEntry(file: file, text: .success(Data(text.utf8)))
    }
}
