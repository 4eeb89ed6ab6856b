import Foundation
import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

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
    let code = IdleCode(copy: copy)
    let manifest = try #require(record.manifest)
    let wiring = try wiring ?? .none
    return Generation(
        record.history, of: manifest, code, IdleModule(), services: ServiceContainer(), providers: providers,
        wiring: wiring, files: record.files,
        rewirings: record.generation == nil ? 0 : record.rewirings + 1)
}

private struct IdleCode: ModuleCode {
    let copy: LibraryCopy?
    var isIsolated: Bool { false }
    func run(_ manifest: Manifest, _ services: ModuleServices) async -> any RunningModule { IdleModule() }
}

/// A module without routes and services.
final class IdleModule: RunningModule {
    nonisolated init() {}

    var module: (any Module)? { nil }
    nonisolated var process: Int? { nil }
    func content(for request: RouteRequest) async throws(ViperError) -> any SceneContent {
        throw ViperError(.moduleFailed, operation: "cannot open route", subject: request.route, cause: "it has none")
    }
    func checkHealth() async {}
    nonisolated func run() async {}
    func stop() async {}
}

extension Wiring {
    /// The wiring of a module that requires nothing.
    static var none: Wiring {
        get throws {
            let record = ModuleRecord(ModuleFiles(try catalogEntry("none")))
            return Wiring(
                of: record, in: RegistrySnapshot(records: [], wiring: ServiceWiring(hostServices: [])),
                isIsolated: false)
        }
    }
}
