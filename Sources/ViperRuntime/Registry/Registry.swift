import Synchronization
import ViperKit

/// Which modules there are, and how far each has come.
///
/// Readers take a ``snapshot``: a value that no later change touches. A change is made beside it and put in its place, so
/// that reading never waits for a load.
public final class Registry: Sendable {
    private let current: Mutex<RegistrySnapshot>

    init(wiring: ServiceWiring) {
        current = Mutex(RegistrySnapshot(records: [], wiring: wiring))
    }

    /// What is registered now.
    public var snapshot: RegistrySnapshot { current.withLock { $0 } }

    /// Takes modules in as `discovered`, in place of earlier ones from the same manifest files.
    func register(_ entries: [CatalogEntry]) {
        let files = Set(entries.map(\.file))
        change { records in
            records.removeAll { files.contains($0.file) }
            records += entries.map(ModuleRecord.init)
        }
    }

    /// Finds out from the manifests alone which modules have all that they require. Those that were resolved before are
    /// looked at anew: a provider of theirs may have been refused meanwhile.
    func resolve() {
        let wiring = snapshot.wiring
        change { records in
            for index in records.indices where records[index].state == .resolved { records[index].state = .discovered }
            records = Resolution(of: records, wiring: wiring).records
        }
    }

    func activate(_ file: String) { setState(of: file) { $0 == .resolved ? .active : $0 } }

    /// Refuses a module that has not become active, nor been retired, meanwhile.
    func refuse(_ file: String, because error: ViperError) {
        setState(of: file) { $0 == .discovered || $0 == .resolved ? .refused(error) : $0 }
    }

    /// Puts a refusal with more evidence in the place of another.
    func explain(_ file: String, by error: ViperError) {
        setState(of: file) { $0.refusal == nil ? $0 : .refused(error) }
    }

    func retire(_ file: String) { setState(of: file) { $0.refusal == nil ? .retired : $0 } }

    private func setState(of file: String, _ next: (ModuleState) -> ModuleState) {
        change { records in
            guard let index = records.firstIndex(where: { $0.file == file }) else { return }
            records[index].state = next(records[index].state)
        }
    }

    private func change(_ body: (inout [ModuleRecord]) -> Void) {
        current.withLock { snapshot in
            var records = snapshot.modules
            body(&records)
            snapshot = RegistrySnapshot(records: records, wiring: snapshot.wiring)
        }
    }
}
