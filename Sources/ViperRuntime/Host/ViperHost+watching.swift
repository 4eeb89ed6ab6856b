import HostSystem
import ModuleCatalog
import ModuleIsolation
import ViperKit

extension ViperHost {
    /// Checks the libraries of the root, and from now on follows and logs its changes.
    package func follow() {
        checkLibraries()
        logChanges()
        watch()
    }

    /// Starts watching the root. Until the host shuts down, updates the modules when files in the root change, also when
    /// `host.json` enables or disables one, and retries refused modules when the quarantine changes.
    package func watch() {
        let quarantined = quarantine.folder
        let watcher = Watcher(folders: [root.path, root.manifests, root.plugins, quarantined], logger: logger)
        guard watchers.add(watcher) else { return watcher.stop() }
        // The task is detached, because a module may block the main actor.
        Task.detached { [weak self] in
            // The root may have changed between reading it and watching it.
            await self?.reconciler.notice()
            await self?.updateVersions()
            while let paths = await watcher.next() {
                if paths.contains(where: { $0.hasPrefix(quarantined) }) { await self?.reconciler.retry() }
                await self?.reconciler.notice()
                await self?.updateVersions()
            }
        }
    }
}
