import ModuleCatalog
import ModuleIsolation
import ViperKit

extension ViperHost {
    /// Starts watching the root. Until the host shuts down, updates the modules when files in the root change, and
    /// retries refused modules when the quarantine changes.
    public func watch() {
        let quarantined = quarantine.folder
        let watcher = Watcher(folders: [root.manifests, root.plugins, quarantined], logger: logger)
        guard watchers.add(watcher) else { return watcher.stop() }
        // The task is detached, because a module may block the main actor.
        Task.detached { [weak self] in
            // The root may have changed between reading it and watching it.
            await self?.liveRoot.apply(for: .changes, of: nil)
            while let paths = await watcher.next() {
                await self?.rescan(paths, quarantined)
            }
        }
    }

    private func rescan(_ paths: Set<String>, _ quarantined: String) async {
        let files = paths.map { path in
            path.utf8.starts(with: "\(root.path)/".utf8)
                ? String(Substring(path.utf8.dropFirst(root.path.utf8.count + 1))) : path
        }
        let hasFolder = paths.contains(root.manifests) || paths.contains(root.plugins)
        let isRetry = paths.contains { $0.hasPrefix(quarantined) }
        await liveRoot.apply(for: isRetry ? .retries : .changes, of: hasFolder ? nil : Set(files))
    }
}
