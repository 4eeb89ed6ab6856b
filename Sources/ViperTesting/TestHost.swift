import ModuleCatalog
import ModuleRuntime
public import ViperKit

/// A host for one module under test. It uses the real registry, router, and container. It gets services from the test,
/// and does not load a shared library.
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
/// As in a real host, the module can access only the services that its manifest lists. If the test does not provide a
/// required service, the host refuses the module.
@MainActor
public final class TestHost {
    private let host: HostedModules
    private let services: TestServices
    private let file: String

    /// Creates a host with one module.
    ///
    /// - Parameters:
    ///   - type: The module's type.
    ///   - manifest: The path of the manifest, or a file name. A file name is looked up in a `Manifests` folder beside
    ///     the test file, and then in the `Manifests` folder of each parent folder.
    ///   - testFile: The source file of the test.
    ///   - provide: A closure that provides the services that the module requires.
    /// - Throws: An error if the host refuses the module, for example because the manifest is invalid or a required
    ///   service is missing.
    public init(
        _ type: any Module.Type, manifest: String, testFile: String = #filePath,
        provide: (inout TestServices) -> Void
    ) throws(ViperError) {
        var services = TestServices()
        provide(&services)
        self.services = services
        file = manifestPath(manifest, near: testFile)
        host = HostedModules(
            [CatalogEntry(manifestPath: file)], linkedTo: [file: type], services: services.container)
        if let refusal = host.registry.snapshot.modules.first?.state.refusal { throw refusal }
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
        // Objects that exist before the scene may outlive it. These are the services, the module, and all objects that
        // the module holds.
        let module = try await host.module(fromManifest: file)
        let outliving = ObjectGraph(of: (module.map { [$0] } ?? []) + services.all)
        return try await TestScene(opening: route, parameters, in: host, outliving: outliving)
    }

    /// Returns the service that the module provides for a key.
    ///
    /// - Throws: An error if the module cannot be used, or if the service's factory throws.
    public func provided<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
        try await host.provided(key, fromManifest: file)
    }

    /// Calls the module's ``ViperKit/Module/run()`` once, and returns when it returns. If the test cancels the task that
    /// calls this method, `run()` is cancelled, as when a host retires the module.
    ///
    /// - Throws: The error that `run()` throws, as a ``ViperError`` with the code `module-failed`.
    public func run() async throws(ViperError) { try await host.run(fromManifest: file) }

    /// The module's state in the registry, or nil if the registry does not contain the module.
    public var state: ListedModule.State? {
        host.registry.snapshot.modules.first.map { ListedModule.State(rawValue: $0.state.name) }
    }

    /// Retires the module. Returns after its last scene has closed and the module has stopped.
    public func retire() async { await host.shutDown() }
}
