import ModuleCatalog
import ModuleIsolation
import ViperKit

extension ViperHost {
    /// Follows what happens to the root from now on, until the host shuts down: what comes, changes or goes there is taken as
    /// ``rescan()`` takes it. What was let out of quarantine is tried again.
    public func watch() {
        let quarantined = quarantine.folder
        let watcher = Watcher(folders: [root.manifests, root.plugins, quarantined], logger: logger)
        guard watchers.add(watcher) else { return watcher.stop() }
        // Not on the main actor, which a module may block.
        Task.detached { [weak self] in
            // Something may have changed between reading the root and watching it.
            await self?.liveRoot.rescan(for: .changes)
            while let paths = await watcher.next() {
                await self?.liveRoot.rescan(for: paths.contains { $0.hasPrefix(quarantined) } ? .retries : .changes)
            }
        }
    }
}
