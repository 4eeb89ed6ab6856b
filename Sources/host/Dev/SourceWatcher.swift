import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import Synchronization
import ViperKit
import ViperRuntime

/// A watcher that detects when a module's source is saved. It also runs the work after each save, so that a signal can
/// cancel the work.
final class SourceWatcher: Sendable {
    private struct State {
        var watcher: Watcher?
        /// The source files and folders that existed when watching started.
        var known: [String: FileIdentity?] = [:]
        var work: Task<Void, any Error>?
        var signal: Int32?
    }

    /// The path of the source folder as given, and the same path without symbolic links.
    private let (name, folder): (String, String)
    private let root: Root
    private let logger: LineLogger
    private let state = Mutex(State())

    /// Creates a watcher for a source folder.
    ///
    /// - Throws: ``ViperError/Code/sourceMissing`` if the folder does not exist.
    init(of name: String, in root: Root, logger: LineLogger) throws(ViperError) {
        guard let folder = resolved(name), isFolder(folder) else { throw ModuleSource.missing(name) }
        (self.name, self.folder, self.root, self.logger) = (name, folder, root, logger)
    }

    /// The signal that ended the watcher, or nil if the watcher has not ended.
    var signal: Int32? { state.withLock { $0.signal } }

    /// True if the source has changed since watching started.
    var haveCome: Bool { !changes().isEmpty }

    /// Returns the paths that have changed since watching started.
    private func changes() -> Set<String> {
        let (now, known) = (sources(), state.withLock(\.known))
        return Set(now.keys).union(known.keys).filter { now[$0] != known[$0] }
    }

    /// Starts watching the source's folders and the root's `Manifests` folder, which may contain the module's manifest.
    func watch() {
        let known = sources()
        let folders = known.filter { $0.value == nil }.keys
        let watcher = Watcher(folders: Set(folders).union([root.manifests]).sorted(), logger: logger)
        let earlier = state.withLock { state in
            defer { (state.watcher, state.known) = (watcher, known) }
            return state.watcher
        }
        earlier?.stop()
    }

    /// Runs a closure and waits until it returns. A call to ``end(because:)`` cancels the closure's task.
    func work(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let hasEnded = state.withLock { state in
            state.work = task
            return state.signal != nil
        }
        if hasEnded { task.cancel() }
        try await task.value
    }

    /// Waits for the next save. Returns false if ``end(because:)`` has been called.
    func next() async -> Bool {
        let watcher = state.withLock(\.watcher)
        if signal == nil, haveCome { return true }
        while signal == nil, let paths = await watcher?.next() {
            // Compare only reported paths, because other files may be incomplete.
            if changes().contains(where: { path in paths.contains { Self.isInside(path, $0) } }) { return true }
        }
        return false
    }

    func end(because number: Int32) {
        let (watcher, work) = state.withLock { state in
            state.signal = number
            return (state.watcher, state.work)
        }
        watcher?.stop()
        work?.cancel()
    }

    /// Returns the paths of the module's source files and folders. The value for a file is its identity, and the value
    /// for a folder is nil. Build products are excluded, even if the root is inside the source folder or the source
    /// folder is inside the root.
    private func sources() -> [String: FileIdentity?] {
        var sources: [String: FileIdentity?] = [:]
        add(folder, to: &sources)
        let own = (try? ModuleSource(in: name, root: root).manifestFile).flatMap(resolved)
        for file in Self.names(in: root.manifests) {
            let path = "\(root.manifests)/\(file)"
            // If the module's manifest is not known yet, include all manifests.
            if own == nil || own == resolved(path) { sources[path] = FileIdentity(of: path) }
        }
        return sources
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool { "\(path)/".hasPrefix("\(folder)/") }

    /// Adds the contents of a folder, except hidden items and symbolic links.
    private func add(_ folder: String, to sources: inout [String: FileIdentity?]) {
        if folder == root.manifests || folder == root.plugins && folder != self.folder { return }
        sources[folder] = .some(nil)
        for name in Self.names(in: folder) {
            let path = "\(folder)/\(name)"
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeDirectory { add(path, to: &sources) }
            // Skip empty files, because some editors create and remove one to test whether the folder is writable.
            guard type == .typeRegular, let identity = FileIdentity(of: path), !identity.isEmpty else { continue }
            sources[path] = identity
        }
    }

    // Returns the names of the visible items in a folder. If the folder cannot be listed, the result is empty, because
    // the build also fails and reports the reason.
    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
    }
}
