import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

// When clients can reach the modules that serve them at listening sockets.
extension ViperHost {
    /// The time within which clients must reach a module whose work has started.
    private static let socketTime = Duration.seconds(10)

    /// Waits until clients can reach each module that this host runs and that requires listening sockets. Does not wait for a
    /// module that is refused or whose work has ended, nor longer than ten seconds.
    package func waitForSockets() async {
        let due = ContinuousClock.now + Self.socketTime
        while registry.snapshot.modules.contains(where: isAwaited), .now < due {
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }

    /// The addresses of the sockets of a service manager that no module has asked for.
    package var unusedSockets: [String] { sockets.unused }

    private func isAwaited(_ record: ModuleRecord) -> Bool {
        let runs = record.files.runs != .never && (record.files.runs != .configured || isConfigured(record))
        guard runs, record.needsSockets, [.resolved, .active].contains(record.state) else { return false }
        // Without a state, the work has not started yet.
        return record.generation?.run.state == nil || record.isUnreached
    }

    private func isConfigured(_ record: ModuleRecord) -> Bool { modules.configured.contains(record.name) }

    /// Notes from now on when clients reach a module for the first time.
    func followSockets() {
        let changes = registry.changes(keeping: .bufferingNewest(1))
        let task = Task.detached { [weak self] in
            self?.reachModules()
            for await _ in changes { self?.reachModules() }
        }
        socketFollower.withLock { $0 = task }
    }

    private func reachModules() {
        for record in registry.snapshot.modules where record.isUnreached {
            guard reaching.withLock({ $0.insert(record.file).inserted }) else { continue }
            Task.detached { [weak self] in
                await self?.reach(record)
                _ = self?.reaching.withLock { $0.remove(record.file) }
                // The work may have started again meanwhile.
                self?.reachModules()
            }
        }
    }

    /// Waits until clients reach a module, or its work ends, or the time is over.
    private func reach(_ record: ModuleRecord) async {
        let due = ContinuousClock.now + Self.socketTime
        while let current = registry.snapshot.module(from: record.file), current.isUnreached {
            // The sockets of a module in a worker are unknown here.
            let isIsolated = current.manifest.map { activator.codes.isIsolated($0) } ?? false
            let isReached = isIsolated ? true : await sockets.isAnswering(current.name, until: due)
            if isReached || .now >= due {
                if !isReached {
                    let time = Self.socketTime.inSeconds
                    logger.log(.warning, "module \(current.label) does not answer at a socket \(time) after its start")
                }
                current.history.noteReached()
                if let generation = current.generation { registry.noteRun(of: generation) }
                return
            }
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
    }
}
