import HostSystem
import ModuleRuntime
import ViperKit

extension ViperHost {
    /// Logs which modules are refused, and from now on what becomes of all: which have come, were replaced or refused, or have gone.
    ///
    /// - Returns: The task that logs. When it is cancelled, it logs what has changed until then, and ends.
    package func logChanges() -> Task<Void, Never> {
        // What counts is that there was one: the snapshot has them all.
        let changes = registry.changes(keeping: .bufferingNewest(1))
        let snapshot = registry.snapshot
        for record in snapshot.modules {
            if let error = record.state.refusal { logger.log(.warning, "\(record.name) is refused: \(error.summary)") }
        }
        var log = RegistryLog(since: snapshot)
        // Not on the main actor, which a module may block.
        return Task.detached { [registry, logger] in
            for await _ in changes {
                repeat {
                    // A module may be refused and back in a moment, as when its manifest is moved: only what lasts is news.
                    try? await Task.sleep(for: .milliseconds(500))
                    for (level, line) in log.lines(for: registry.snapshot) { logger.log(level, line) }
                } while !log.pending.isEmpty && !Task.isCancelled
            }
            for (level, line) in log.lines(for: registry.snapshot) { logger.log(level, line) }
        }
    }
}
