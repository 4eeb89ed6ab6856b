import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

extension LiveRoot {
    /// Returns the errors for libraries that fail the checks that precede loading, keyed by manifest file.
    func faults(of entries: [CatalogEntry]) async -> [String: ViperError] {
        await BlockingWork.run { [loader] in
            var faults: [String: ViperError] = [:]
            let checks = Result { () throws(ViperError) in try LibraryChecks(loader) }
            for entry in entries {
                guard let manifest = try? entry.manifest.get() else { continue }
                do throws(ViperError) { try checks.get().check(manifest) } catch {
                    if error.isModuleFault { faults[entry.file] = error }
                }
            }
            return faults
        }
    }

    /// Starts to check new and changed modules in workers, one after another. Each check takes as long as starting a
    /// worker, so rescans do not wait for the checks.
    func startProving() {
        if proving != nil || unproved.isEmpty { return }
        proving = Task {
            var hasPostponed = false
            while !isOver, !unproved.isEmpty {
                for file in unproved.sorted() where !isOver && unproved.remove(file) != nil {
                    await prove(file)
                    if postponed[file] != nil { hasPostponed = true }
                }
            }
            // Modules may require one that was refused. Like a rescan, this waits for its turn.
            let previous = last
            let settling = Task {
                await previous?.value
                if !isOver { await activator.settle() }
            }
            last = settling
            await settling.value
            proving = nil
            if hasPostponed { scheduleRescan(for: .changes, after: backOff.next()) }
            // A rescan may have added modules in the meantime.
            if !isOver { startProving() }
        }
    }

    private func prove(_ file: String) async {
        guard registry.snapshot.module(from: file)?.state == .resolved else { return }
        let version = seen[file]
        var failure: ViperError?
        do { try await activator.prove(file) } catch { failure = error }
        // If the file has changed again, the errors of the module are those of its newer version. If the older version
        // is now refused, the next rescan uses the newer one.
        if seen[file] != version {
            if failure?.isModuleFault == true, seen[file] != nil {
                seen[file] = FileVersion()
                scheduleRescan(for: .changes, after: backOff.next())
            }
            return
        }
        guard let failure, !failure.isModuleFault else {
            if failure == nil, registry.snapshot.module(from: file)?.fileRejection?.isUnfinished == true {
                registry.note(file, \.fileRejection, nil)
            }
            // ``RegistryLog`` logs a refusal.
            return succeed(file)
        }
        if failure.isUnfinished { registry.note(file, \.fileRejection, failure) }
        postpone(file, failure, failure.summary)
    }

    func retry(_ entry: CatalogEntry) async {
        do {
            try await activator.retry(entry)
            succeed(entry.file)
        } catch {
            if error.isModuleFault { succeed(entry.file) } else { postpone(entry.file, error, error.summary) }
        }
    }

    /// Clears the stored error of a file. The next retry of any file then uses the shortest pause.
    private func succeed(_ file: String) {
        if postponed.removeValue(forKey: file) != nil { backOff.reset() }
    }

    /// Replaces modules with newer versions, one after another. A newer version may provide a service that another newer
    /// version requires. Failed replacements are therefore retried as long as at least one other replacement succeeds.
    func replace(by entries: [CatalogEntry]) async {
        let before = registry.snapshot
        var (rest, failures) = (entries, [(CatalogEntry, ViperError)]())
        repeat {
            failures = []
            for entry in rest where !isOver {
                do {
                    try await activator.replace(by: entry)
                    registry.note(entry.file, \.fileRejection, nil)
                    succeed(entry.file)
                } catch { failures.append((entry, error)) }
            }
            if failures.count == rest.count { break }
            rest = failures.map(\.0)
        } while !rest.isEmpty
        for (entry, error) in failures {
            let record = registry.snapshot.module(from: entry.file)
            let told = record?.state.refusal ?? record?.fileRejection ?? before.module(from: entry.file)?.fileRejection
            let isRefused = record?.state.refusal != nil
            if !isRefused { registry.note(entry.file, \.fileRejection, error) }
            let text = (isRefused ? "" : "keeps \(record.map { "module \($0.label)" } ?? entry.file): ") + error.summary
            if !error.isModuleFault {
                postpone(entry.file, error, text)
                continue
            }
            succeed(entry.file)
            // Do not log the same error again after a retry.
            if told?.summary != error.summary { logger.log(.warning, text) }
        }
    }
}
