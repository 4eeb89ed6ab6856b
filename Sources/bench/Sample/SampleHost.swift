import FoundationEssentials
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

// Only this file uses the host's internal API.

/// A host with modules that are compiled into this program. It has no root and loads no libraries.
@MainActor
struct SampleHost {
    private let host: HostedModules

    /// Creates a host with the sample module and its provider.
    ///
    /// - Parameters:
    ///   - guards: The number of modules that guard routes.
    ///   - isWatched: True if one of them guards the sample's route. The others guard routes that no module has.
    init(guards: Int = 0, isWatched: Bool = false) throws {
        var entries = [
            CatalogEntry(file: "provider.json", manifest: try manifest(SampleProvider.manifest)),
            CatalogEntry(file: "sample.json", manifest: try manifest(SampleModule.manifest)),
        ]
        var types: [String: any Module.Type] = [
            "provider.json": SampleProvider.self, "sample.json": SampleModule.self,
        ]
        var guarded: [String: [String]] = [:]
        for number in 0..<guards {
            var module = try manifest(SampleGuard.manifest)
            module.name = "guard\(number)"
            entries.append(CatalogEntry(file: "\(module.name).json", manifest: module))
            types["\(module.name).json"] = SampleGuard.self
            guarded[module.name] = [isWatched && number == 0 ? SampleModule.route : "other\(number)"]
        }
        host = HostedModules(entries, linkedTo: types, services: ServiceContainer(), guards: guarded)
    }

    /// Returns the services that the host passed to the sample module.
    func services() async throws -> any ServiceResolver {
        guard let module = try await host.module(fromManifest: "sample.json") as? SampleModule else {
            throw UnexpectedResult("the host created no sample module")
        }
        return module.services
    }

    func window() -> SampleWindow { SampleWindow(window: Window(router: host.router)) }

    /// The windows, as a front end uses them.
    var windows: any Windows { host.windows }
}

/// A host in this process that loads the modules of a root, as `host run` does.
@MainActor
struct BundledModules {
    private let host: ViperHost
    private let window: Window

    init(root: String) throws {
        var configuration = ViperHost.Configuration(root: try Root.find(given: root, environment: [:]))
        configuration.settings.stateFolder = root + "/state"
        host = try ViperHost(configuration)
        window = Window(router: host.router)
    }

    func openAndClose(_ route: String) async throws {
        try await window.open(route, texts: [:])
        window.closeAll()
    }
}

/// A window that opens the sample module's route.
@MainActor
struct SampleWindow {
    fileprivate let window: Window

    var screen: Screen { window.screen }
    func open() async throws { try await window.open(SampleModule.route, parameters: [:]) }
    func close() { window.closeAll() }
    func handle(_ event: Event) async throws { try await window.handle(event) }
}

/// A host with a large number of registered routes.
@MainActor
struct SampleRoutes {
    let names: [String]
    private let host: HostedModules

    /// Creates a host, and registers modules that have `count` routes in total.
    init(_ count: Int) throws {
        names = (0..<count).map { "m\($0 / 1_000)/route-\($0 % 1_000)" }
        let manifest = try manifest(SampleModule.manifest)
        var entries: [CatalogEntry] = []
        // A manifest can declare at most 1,000 routes.
        for first in stride(from: 0, to: names.count, by: 1_000) {
            var module = manifest
            module.name = "m\(first)"
            module.requires = []
            module.routes = names[first..<min(first + 1_000, names.count)].map { name in
                var route = manifest.routes[0]
                route.name = name
                return route
            }
            entries.append(CatalogEntry(file: "\(module.name).json", manifest: module))
        }
        host = HostedModules(entries, linkedTo: [:], services: ServiceContainer())
    }

    /// Returns true if the registry's current snapshot has the route.
    func contains(_ name: String) -> Bool { host.registry.snapshot.routes[name] != nil }

    /// Returns true if the router finds the route and its module, and accepts the parameters. The router does the same
    /// when it opens a scene.
    func finds(_ name: String) throws -> Bool { try host.router.request(name, parameters: [:]).route.name == name }
}

/// A host with modules that each contribute one value to the point `menu`.
@MainActor
struct SampleContributions {
    /// The contributed values as JSON.
    let texts: [String]
    let registry: any ModuleRegistry

    init(_ count: Int) throws {
        texts = (0..<count).map { #"{ "title": "Entry \#($0)", "route": "m\#($0)/list" }"# }
        var module = try manifest(SampleModule.manifest)
        (module.routes, module.requires) = ([], [])
        let entries = texts.enumerated().map { number, text in
            (module.name, module.contributes) = ("m\(number)", ["menu": [text]])
            return CatalogEntry(file: "\(module.name).json", manifest: module)
        }
        registry = HostedModules(entries, linkedTo: [:], services: ServiceContainer()).reader
    }
}

/// A registry with many modules that are not loaded, and the root's desired content.
@MainActor
final class SampleRegistry {
    private let host: HostedModules
    private let entries: [CatalogEntry]
    private var reconciliation: Reconciliation
    private var versions = 0

    /// Creates a registry, and registers modules in groups of ten. The first module in each group provides a service
    /// that all other modules in the group require.
    init(modules count: Int) throws {
        let manifest = try manifest(SampleModule.manifest)
        entries = (0..<count).map { number in
            var module = manifest
            module.name = "m\(number)"
            module.routes[0].name = "m\(number)/list"
            let service = "s\(number / 10)"
            (module.provides, module.requires) = number % 10 == 0 ? ([service], []) : ([], [service])
            return CatalogEntry(file: "\(module.name).json", manifest: module)
        }
        host = HostedModules(entries, linkedTo: [:], services: ServiceContainer())
        let desired = entries.map { ($0.file, Reconciliation.Desired.present(ModuleFiles($0))) }
        reconciliation = Reconciliation(
            desired: Dictionary(uniqueKeysWithValues: desired), outcomes: [:], now: .now, isIsolated: { _ in false },
            fault: host.fault)
    }

    /// Replaces a registered module with a newer version. This changes no route and no service.
    func replace() { host.registry.register([ModuleFiles(entries[5])]) }

    /// Changes the manifest of a module in the root, and lets the reconciliation apply it.
    ///
    /// - Parameter isAlike: True to keep the routes and services. Otherwise, the module has another route each time.
    func reconcile(isAlike: Bool) throws {
        versions += 1
        var module = try entries[5].manifest.get()
        if isAlike { module.version = "1.0.\(versions)" } else { module.routes[0].name = "m5/list-\(versions)" }
        let entry = CatalogEntry(file: entries[5].file, manifest: module)
        reconciliation.desired[entry.file] = .present(ModuleFiles(entry))
        reconciliation.outcomes =
            host.registry.write { draft in reconciliation.apply(to: &draft) }.outcomes
    }

    /// True if the latest version of the module that ``reconcile(isAlike:)`` changes is registered.
    var isReconciled: Bool {
        let file = entries[5].file
        guard case .present(let files) = reconciliation.desired[file] else { return false }
        return host.registry.snapshot.module(from: file)?.files == files
    }

    /// True if all modules are resolved.
    var isResolved: Bool { host.registry.snapshot.modules.allSatisfy { $0.state == .resolved } }
}

/// Validates and decodes a manifest.
///
/// - Returns: The number of routes in the manifest.
func decodeManifest(_ text: Data) throws -> Int { try Manifest(text: text, named: "sample.json").routes.count }

private func manifest(_ text: String) throws -> Manifest {
    try Manifest(text: Data(text.utf8), named: "sample.json")
}
