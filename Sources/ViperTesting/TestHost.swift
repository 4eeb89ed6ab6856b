public import ViperKit
public import ViperRuntime

/// A host for one module under test: the real registry, router and container, with services that the test provides, and
/// without a shared library.
///
/// ```swift
/// let host = try TestHost(ModuleEntry(CompanyListModule.self), manifest: "company-list.json") { services in
///     services.provide(.fileReader, FakeFileReader(["company.json": "[]"]))
/// }
/// let scene = try await host.open("list")
/// #expect(scene.screen.alert?.title == "No content to show")
/// scene.expectDeallocated()
/// ```
///
/// The module gets what its manifest requires, as in a host: a service that the test does not provide refuses the module,
/// one that the manifest does not require is denied.
@MainActor
public final class TestHost {
    private let host: ViperHost
    private let services: TestServices
    private let file: String

    /// Registers one module.
    ///
    /// - Parameters:
    ///   - entry: `ModuleEntry(YourModule.self)`.
    ///   - manifest: The name of the module's manifest in the nearest folder `Manifests` upwards from the test's file, or a
    ///     path.
    ///   - provide: Provides the services that the module requires.
    /// - Throws: The reason when the manifest is refused, or something that it requires is missing.
    public init(
        _ entry: ModuleEntry, manifest: String, testFile: String = #filePath,
        provide: (inout TestServices) -> Void
    ) throws(ViperError) {
        var services = TestServices()
        provide(&services)
        self.services = services
        file = manifestPath(manifest, near: testFile)
        host = ViperHost(testing: CatalogEntry(linked: entry, manifestPath: file), services: services.container)
        if let refusal = host.registry.snapshot.modules.first?.state.refusal { throw refusal }
    }

    /// Opens a route and waits until its screen is settled.
    ///
    /// - Throws: As ``ViperRuntime/Window/open(_:parameters:)``.
    public func open(
        _ route: String, _ parameters: [String: ParameterValue] = [:]
    ) async throws(ViperError) -> TestScene {
        let scene = try await assemble(route, parameters)
        await scene.load()
        return scene
    }

    /// Opens a route without beginning the scene's work, to look at it before ``TestScene/load()``.
    ///
    /// - Throws: As ``ViperRuntime/Window/open(_:parameters:)``.
    public func assemble(
        _ route: String, _ parameters: [String: ParameterValue] = [:]
    ) async throws(ViperError) -> TestScene {
        // What lives before the scene does may outlive it: the services, and the module with all that it holds.
        let module = try await host.module(fromManifest: file)
        let outliving = ObjectGraph(of: (module.map { [$0] } ?? []) + services.all)
        return try await TestScene(opening: route, parameters, in: host, outliving: outliving)
    }

    /// What the module provides under this key.
    ///
    /// - Throws: Why the module cannot be used, or its factory failed.
    public func provided<Service>(_ key: ServiceKey<Service>) async throws(ViperError) -> Service {
        try await host.provided(key, fromManifest: file)
    }

    /// The module's state in the registry.
    public var state: ModuleState? { host.registry.snapshot.modules.first?.state }

    /// Retires the module. Returns when its last scene has closed and it has stopped.
    public func retire() async { await host.shutDown() }
}
