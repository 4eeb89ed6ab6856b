import FoundationEssentials
import Synchronization
import ViperKit
import ViperRuntime

/// The saves of a module's source, and what is done after each, until somebody ends it.
final class Saves: Sendable {
    private struct State {
        var watcher: Watcher?
        /// What there was of the source when watching began.
        var known: Set<String> = []
        var work: Task<Void, any Error>?
        var signal: Int32?
    }

    /// As it was named, and without symbolic links.
    private let (name, folder): (String, String)
    private let root: Root
    private let logger: LineLogger
    private let state = Mutex(State())

    /// - Throws: ``ViperError/Code/sourceMissing``.
    init(of name: String, in root: Root, logger: LineLogger) throws(ViperError) {
        guard let folder = resolved(name), isFolder(folder) else { throw ModuleSource.missing(name) }
        (self.name, self.folder, self.root, self.logger) = (name, folder, root, logger)
    }

    /// Why it is over, if it is.
    var signal: Int32? { state.withLock { $0.signal } }

    /// Watches the source, as far as it is there now, and the root's manifests, one of which may be its own.
    func watch() {
        var (folders, files): (Set, Set) = ([folder], [] as Set<String>)
        Self.add(folder, to: &folders, &files)
        let watcher = Watcher(folders: folders.union([root.manifests]).sorted(), logger: logger)
        let known = folders.union(files)
        let earlier = state.withLock { state in
            defer { (state.watcher, state.known) = (watcher, known) }
            return state.watcher
        }
        earlier?.stop()
    }

    /// Does something, which is cancelled when it is over.
    func work(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = state.withLock { state in
            let task = Task { try await body() }
            state.work = task
            if state.signal != nil { task.cancel() }
            return task
        }
        try await task.value
    }

    /// Waits for the next save.
    ///
    /// - Returns: False when it is over.
    func next() async -> Bool {
        let (watcher, known) = state.withLock { ($0.watcher, $0.known) }
        while signal == nil, let paths = await watcher?.next() {
            if paths.contains(where: { isSource($0, known) }) { return true }
        }
        return false
    }

    func end(because number: Int32) {
        state.withLock { state in
            state.signal = number
            state.watcher?.stop()
            state.work?.cancel()
        }
    }

    /// Whether what has changed is something that the module is built from, and not what a build has made; also where the root
    /// and the source lie in each other.
    private func isSource(_ path: String, _ known: Set<String>) -> Bool {
        // Editors make files and remove them again, to see whether they can.
        guard known.contains(path) || FileManager.default.fileExists(atPath: path) else { return false }
        if Self.isInside(path, root.plugins) { return Self.isInside(folder, root.plugins) }
        if !Self.isInside(path, root.manifests) { return true }
        // While it is not known which one is the module's own, each may be.
        guard let own = try? ModuleSource(in: name, root: root).manifestFile else { return true }
        return resolved(own) == resolved(path)
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool { "\(path)/".hasPrefix("\(folder)/") }

    /// Adds everything in a folder, but for what is hidden and what lies behind symbolic links.
    private static func add(_ folder: String, to folders: inout Set<String>, _ files: inout Set<String>) {
        // What cannot be listed cannot be built either, which is told then.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if attributes?[.type] as? FileAttributeType == .typeDirectory {
                folders.insert(path)
                add(path, to: &folders, &files)
            } else {
                files.insert(path)
            }
        }
    }
}
