import FoundationEssentials
import ModuleCatalog
import ModuleRuntime
import ViperKit

// Only this file calls the host's inside.

/// A host for modules of this program, without a root and without libraries.
@MainActor
struct SampleHost {
    private let host: LinkedModules

    /// A host with the modules of the sample.
    init() throws {
        host = LinkedModules(
            [
                CatalogEntry(file: "provider.json", manifest: try manifest(SampleProvider.manifest)),
                CatalogEntry(file: "sample.json", manifest: try manifest(SampleModule.manifest)),
            ],
            linkedTo: [
                "provider.json": ModuleEntry(SampleProvider.self), "sample.json": ModuleEntry(SampleModule.self),
            ],
            services: ServiceContainer())
    }

    /// The services that the sample's module was given.
    func services() async throws -> any ServiceResolver {
        guard let module = try await host.module(fromManifest: "sample.json") as? SampleModule else {
            throw UnexpectedResult("the host created no sample module")
        }
        return module.services
    }

    func window() -> SampleWindow { SampleWindow(window: Window(router: host.router)) }
}

/// A window of a host.
@MainActor
struct SampleWindow {
    fileprivate let window: Window

    var screen: Screen { window.screen }
    func open() async throws { try await window.open(SampleModule.route, parameters: [:]) }
    func close() { window.closeAll() }
    func handle(_ event: Event) async throws { try await window.handle(event) }
}

/// The routes of a host, as its router reads them.
@MainActor
struct SampleRoutes {
    let names: [String]
    private let host: LinkedModules

    /// Registers modules with so many routes together.
    init(_ count: Int) throws {
        names = (0..<count).map { "m\($0 / 1_000)/route-\($0 % 1_000)" }
        let manifest = try manifest(SampleModule.manifest)
        var entries: [CatalogEntry] = []
        // The limit of one manifest is 1,000 routes.
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
        host = LinkedModules(entries, linkedTo: [:], services: ServiceContainer())
    }

    /// True if the table of the present snapshot has the route.
    func contains(_ name: String) -> Bool { host.registry.snapshot.routes[name] != nil }

    /// True if the router finds the route, its module and its parameters, as each open of a scene does.
    func finds(_ name: String) throws -> Bool { try host.router.request(name, parameters: [:]).route.name == name }
}

/// A registry with many modules that do not run.
@MainActor
struct SampleRegistry {
    private let host: LinkedModules
    private let newer: CatalogEntry

    /// Registers modules in groups of ten. One of each group provides a service that the others require.
    init(modules count: Int) throws {
        let manifest = try manifest(SampleModule.manifest)
        let entries = (0..<count).map { number in
            var module = manifest
            module.name = "m\(number)"
            module.routes[0].name = "m\(number)/list"
            let service = "s\(number / 10)"
            (module.provides, module.requires) = number % 10 == 0 ? ([service], []) : ([], [service])
            return CatalogEntry(file: "\(module.name).json", manifest: module)
        }
        (host, newer) = (LinkedModules(entries, linkedTo: [:], services: ServiceContainer()), entries[5])
    }

    /// Puts a newer version of a module in the place of the one that is registered.
    ///
    /// - Returns: True if the module can be used afterwards.
    func replace() -> Bool { host.registry.take([newer]).isEmpty }

    /// True if every module can be used.
    var isResolved: Bool { host.registry.snapshot.modules.allSatisfy { $0.state == .resolved } }
}

/// Validates and decodes a manifest.
///
/// - Returns: The number of its routes.
func decodeManifest(_ text: Data) throws -> Int { try Manifest(text: text, named: "sample.json").routes.count }

private func manifest(_ text: String) throws -> Manifest {
    try Manifest(text: Data(text.utf8), named: "sample.json")
}
