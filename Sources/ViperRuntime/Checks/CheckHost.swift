import CSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// A host that contains the module that is checked.
@MainActor
struct CheckHost {
    private let host: ViperHost
    private let file: String

    /// Creates a host.
    ///
    /// - Throws: An error if the host does not contain the module, or refuses it.
    init(_ configuration: ViperHost.Configuration, containing name: String) throws(ViperError) {
        var configuration = configuration
        // A check opens the module's routes without a user who could log in.
        configuration.settings.guards = [:]
        host = try ViperHost(configuration)
        guard let record = host.registry.snapshot.modules.first(where: { $0.name == name }) else {
            throw ViperError(
                .moduleUnknown, operation: "cannot check module", subject: name, cause: "no module has this name")
        }
        if let refusal = record.state.refusal { throw refusal }
        file = record.file
    }

    func module() async throws(ViperError) -> (any Module)? { try await host.modules.module(fromManifest: file) }

    func dataProvider() async throws(ViperError) -> any DataProvider {
        try await host.modules.provided(.dataProvider, fromManifest: file)
    }

    /// Returns the differences between the manifest and the module's code.
    func differences(from manifest: Manifest) async throws(ViperError) -> [String] {
        try await host.modules.activator.activate(file).code.differences(from: manifest)
    }

    /// The routes that the module opens but that no module has.
    var missingRoutes: [String] {
        let snapshot = host.registry.snapshot
        return snapshot.module(from: file).map(snapshot.missingRoutes) ?? []
    }

    func end() async { await host.shutDown() }

    func open(_ route: String, _ parameters: UnvalidatedParameters) async throws(ViperError) -> Window {
        let window = Window(router: host.router)
        do { try await window.open(route, parameters) } catch {
            window.closeAll()
            throw error
        }
        return window
    }

    /// Opens and closes a route twice.
    ///
    /// - Returns: The type names of the objects that only the second run leaves behind.
    func leaks(of route: String, _ parameters: UnvalidatedParameters) async throws(ViperError) -> [String] {
        let outliving = ObjectGraph(of: [try await module()].compactMap(\.self))
        // Objects that survive both opens are shared, such as services and caches. A leaking scene leaves new objects
        // behind each time.
        let first = try await graph(of: route, parameters)
        let second = try await graph(of: route, parameters)
        return await second.subtracting(outliving).subtracting(first).survivors()
    }

    /// Opens and closes a route, and returns the objects in its scenes.
    private func graph(of route: String, _ parameters: UnvalidatedParameters) async throws(ViperError) -> ObjectGraph {
        let window = try await open(route, parameters)
        defer { window.closeAll() }
        return ObjectGraph(of: window.scenes.compactMap(\.view))
    }

    /// Opens and closes a route many times.
    ///
    /// - Returns: The number of bytes by which the allocated memory has grown.
    func growth(of route: String, _ parameters: UnvalidatedParameters, count: Int) async throws(ViperError) -> Int {
        let before = Self.allocatedMemory()
        for _ in 0..<count { try await open(route, parameters).closeAll() }
        return Self.allocatedMemory() - before
    }

    /// Returns the memory allocated by all threads, in bytes.
    private static func allocatedMemory() -> Int {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }
}
