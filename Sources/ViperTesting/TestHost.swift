import ModuleCatalog
public import ModuleRuntime
public import ViperKit

/// A host for one module under test. It uses the real registry, router and container, takes services from the test, and
/// loads no shared library.
///
/// ```swift
/// let host = try TestHost(ModuleEntry(CompanyListModule.self), manifest: "company-list.json") { services in
///     services.provide(.fileReader, FakeFileReader(["company.json": "[]"]))
/// }
/// let scene = try await host.open("list")
/// #expect(scene.screen.alert?.title == "No content to show")
/// await scene.expectDeallocated()
/// ```
///
/// As in a real host, the module receives only the services that its manifest requires. If the test does not provide a
/// required service, the module is refused. Access to any other service is denied.
@MainActor
public final class TestHost {
    private let host: LinkedModules
    private let services: TestServices
    private let file: String

    /// Creates a host with one module.
    ///
    /// - Parameters:
    ///   - entry: The module's entry, `ModuleEntry(YourModule.self)`.
    ///   - manifest: The path of the manifest, or its file name in the nearest `Manifests` folder upwards from the test
    ///     file.
    ///   - testFile: The source file of the test.
    ///   - provide: Provides the services that the module requires.
    /// - Throws: The reason for the refusal if the manifest is invalid or a requirement is missing.
    public init(
        _ entry: ModuleEntry, manifest: String, testFile: String = #filePath,
        provide: (inout TestServices) -> Void
    ) throws(ViperError) {
        var services = TestServices()
        provide(&services)
        self.services = services
        file = manifestPath(manifest, near: testFile)
        host = LinkedModules(
            [CatalogEntry(manifestPath: file)], linkedTo: [file: entry], services: services.container)
        if let refusal = host.registry.snapshot.modules.first?.state.refusal { throw refusal }
    }

    /// Opens a route and waits until its screen is settled.
    ///
    /// - Throws: As ``ModuleRuntime/Window/open(_:parameters:)``.
    public func open(
        _ route: String, _ parameters: [String: ParameterValue] = [:]
    ) async throws(ViperError) -> TestScene {
        let scene = try await assemble(route, parameters)
        await scene.load()
        return scene
    }

    /// Opens the route of the arguments and waits until its screen is settled.
    ///
    /// - Throws: As ``ModuleRuntime/Window/open(_:parameters:)``, or as ``RouteArguments/encodedParameters()``.
    public func open<Arguments: RouteArguments>(_ arguments: Arguments) async throws(ViperError) -> TestScene {
        try await open(Arguments.route, arguments.encodedParameters())
    }

    /// Opens a route without beginning the scene's work, to look at it before ``TestScene/load()``.
    ///
    /// - Throws: As ``ModuleRuntime/Window/open(_:parameters:)``.
    public func assemble(
        _ route: String, _ parameters: [String: ParameterValue] = [:]
    ) async throws(ViperError) -> TestScene {
        // Objects that exist before the scene may outlive it: the services, and the module with everything that it
        // holds.
        let module = try await host.module(fromManifest: file)
        let outliving = ObjectGraph(of: (module.map { [$0] } ?? []) + services.all)
        return try await TestScene(opening: route, parameters, in: host, outliving: outliving)
    }

    /// Returns the service that the module provides under a key.
    ///
    /// - Throws: The reason why the module cannot be used, or the error of the service's factory.
    public func provided<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
        try await host.provided(key, fromManifest: file)
    }

    /// The module's state in the registry.
    public var state: ModuleState? { host.registry.snapshot.modules.first?.state }

    /// Retires the module. Returns when its last scene has closed and it has stopped.
    public func retire() async { await host.shutDown() }
}
