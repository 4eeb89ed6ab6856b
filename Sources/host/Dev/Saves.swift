import FoundationEssentials
import Glibc
import Synchronization
import ViperKit
import ViperRuntime

/// The saves of a module's source, and what is done after each, until somebody ends it.
final class Saves: Sendable {
    private struct State {
        var watcher: Watcher?
        /// What there was to build from when watching began.
        var known: [String: FileIdentity?] = [:]
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

    /// Whether something was saved since watching began.
    var haveCome: Bool { !changes().isEmpty }

    /// What is other now than when watching began.
    private func changes() -> Set<String> {
        let (now, known) = (sources(), state.withLock(\.known))
        return Set(now.keys).union(known.keys).filter { now[$0] != known[$0] }
    }

    /// Watches the source, as far as it is there now, and the root's manifests, one of which may be its own.
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
        let watcher = state.withLock(\.watcher)
        if signal == nil, haveCome { return true }
        while signal == nil, let paths = await watcher?.next() {
            // Only what is told to have changed: something else may be half-written now.
            if changes().contains(where: { path in paths.contains { Self.isInside(path, $0) } }) { return true }
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

    /// What the module is built from: files with what tells their versions apart, and folders with nothing. What a build has made is
    /// not among it, also where the root and the source lie in each other.
    private func sources() -> [String: FileIdentity?] {
        var sources: [String: FileIdentity?] = [:]
        add(folder, to: &sources)
        let own = (try? ModuleSource(in: name, root: root).manifestFile).flatMap(resolved)
        for file in Self.names(in: root.manifests) {
            let path = "\(root.manifests)/\(file)"
            // While it is not known which one is the module's own, each may be.
            if own == nil || own == resolved(path) { sources[path] = FileIdentity(of: path) }
        }
        return sources
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool { "\(path)/".hasPrefix("\(folder)/") }

    /// Adds everything in a folder, but for what is hidden and what lies behind symbolic links.
    private func add(_ folder: String, to sources: inout [String: FileIdentity?]) {
        if folder == root.manifests || folder == root.plugins && folder != self.folder { return }
        sources[folder] = .some(nil)
        for name in Self.names(in: folder) {
            let path = "\(folder)/\(name)"
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeDirectory { add(path, to: &sources) }
            // Editors make an empty file and remove it again, to see whether they can.
            guard type == .typeRegular, let identity = FileIdentity(of: path), !identity.isEmpty else { continue }
            sources[path] = identity
        }
    }

    // What cannot be listed cannot be built either, which is told then.
    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
    }
}
