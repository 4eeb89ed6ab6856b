import Foundation
import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

/// Returns a host for modules of the test, each with the text of its manifest. The files are `0.json`, `1.json` and so
/// on.
func linkedHost(
    _ modules: [(entry: ModuleEntry, manifest: String)], services: ServiceContainer = ServiceContainer()
) throws -> ViperHost {
    let folder = try ScratchFolder()
    let entries = try modules.enumerated().map { index, module in
        CatalogEntry(linked: module.entry, manifestPath: try folder.write(module.manifest, to: "\(index).json"))
    }
    return ViperHost(testing: entries, services: services)
}

extension ViperHost {
    /// Returns a window in which this route is open and loaded.
    @MainActor
    func opened(_ route: String, texts: [String: String] = [:]) async throws(ViperError) -> Window {
        let window = Window(router: router)
        try await window.open(route, texts: texts)
        return window
    }
}

/// Returns a generation of a module that does nothing.
///
/// - Parameter library: The content of its library, if it has one.
func generation(
    of record: ModuleRecord, library: String? = nil, providers: [String: Generation] = [:], wiring: Wiring? = nil
) throws -> Generation {
    let copy = library.map {
        LibraryCopy(
            library: "liba.so", path: "/nonexistent", ownPath: "/nonexistent", entrySymbol: "", content: Data($0.utf8))
    }
    let code = LocalCode(entry: ModuleEntry(Screens.self), copy: copy)
    let manifest = try #require(record.manifest)
    let wiring = try wiring ?? .none
    return Generation(
        record.history, of: manifest, code, IdleModule(), services: ServiceContainer(), providers: providers,
        wiring: wiring)
}

/// A module without routes and services.
final class IdleModule: RunningModule {
    nonisolated init() {}

    var module: (any Module)? { nil }
    nonisolated var process: Int? { nil }
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent { throw request.unknownRoute }
    func checkHealth() async {}
    func stop() async {}
}

extension Wiring {
    /// The wiring of a module that requires nothing.
    static var none: Wiring {
        get throws {
            let record = ModuleRecord(try catalogEntry("none"))
            return Wiring(
                of: record, in: RegistrySnapshot(records: [], wiring: ServiceWiring(hostServices: [])),
                isIsolated: false)
        }
    }
}
