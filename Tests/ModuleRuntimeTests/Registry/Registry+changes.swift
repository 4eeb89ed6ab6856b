import ModuleTestSupport
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Changes that a reconciliation makes as parts of larger ones.
extension Registry {
    func replace(_ old: ModuleRecord, by entry: CatalogEntry, as generation: Generation) -> Bool {
        write { draft in
            guard let newer = old.alike(ModuleFiles(entry), draft.clock) else { return false }
            var record = newer
            (record.state, record.generation) = (.active, generation)
            draft.change([old.file: record])
            return true
        }
    }

    func note(_ module: String, _ kind: PendingStep.Kind, _ error: ViperError?) {
        _ = write { draft in
            draft.update("Manifests/\(module).json") { record in
                record.pending = PendingStep(kind: kind, error: error, since: .now, next: nil)
                return true
            }
        }
    }

    func withdraw(_ file: String) {
        _ = write { draft in
            draft.update(file) { record in
                (record.state, record.generation, record.pending) = (.retired, nil, nil)
                record.files = record.files.withdrawn
                return true
            }
        }
    }

    func remove(_ file: String) { write { $0.change([file: nil]) } }
}
