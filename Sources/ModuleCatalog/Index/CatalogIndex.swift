import FoundationEssentials
import Glibc
package import HostSystem
import Synchronization
import ViperKit

/// A file in the user's cache folder with the decoded manifests of a root. A host with many modules reads this file
/// instead of all manifests, and instead of all libraries that contain a manifest.
///
/// A file of the root is identified by its path, size, inode and times. The host uses an indexed manifest only if its
/// file is unchanged. If the index is missing, outdated or damaged, or cannot be written, the host reads the root's
/// files instead. The index says nothing about the code of a library.
///
/// The file is replaced by renaming, so several processes can use it. It is read into memory rather than mapped. If
/// another process truncated a mapped file, SIGBUS would end this process.
package final class CatalogIndex: Sendable {
    /// The number of files up to which reading the root is faster than using an index.
    static let threshold = 48
    /// The maximum size of the file in bytes.
    static let limit = 1 << 24

    /// The indexed facts about a manifest or a library that contains a manifest.
    struct Entry: Equatable {
        var identity: FileIdentity
        var manifest: Manifest
    }

    private struct State {
        /// The facts outside the root on which the index depends. Nil until the index is used.
        var sources: IndexSources?
        /// The time at which the facts were read.
        var start = ContinuousClock.now
        /// The content of the file, keyed by path in the root.
        var stored: [String: Entry] = [:]
        /// The entries that this process has used or added.
        var current: [String: Entry] = [:]
        /// The number of files that were read since ``open()`` because the index has no current entry for them.
        var misses = 0
        /// The folder of the file. Nil if the host cannot use it.
        var folder: OpenFolder?
    }

    private let root: Root
    private let logger: LineLogger
    /// The path of the folder that contains the file.
    private let path: String
    /// The time for which a file must be unchanged before it is indexed. Otherwise, a later change to the file could
    /// have the same change time.
    private let settlingTime: Duration
    private let state = Mutex(State())

    /// Creates an index for a root. This initializer does not access the file system.
    ///
    /// The index is in `$XDG_CACHE_HOME/viper-host`, or in `~/.cache/viper-host` if the variable is unset; see
    /// https://specifications.freedesktop.org/basedir-spec.
    ///
    /// - Returns: Nil if there is no cache folder. Also nil if the host uses files that violate the trust rules,
    ///   because it must warn about each file.
    package convenience init?(of root: Root, logger: LineLogger) {
        guard let path = userFolder("XDG_CACHE_HOME", orHome: ".cache") else { return nil }
        self.init(of: root, in: path, logger: logger)
    }

    /// Creates an index that is stored in the given folder.
    init?(of root: Root, in path: String, settlingTime: Duration = .seconds(2), logger: LineLogger) {
        guard case .refuse = root.trust.enforcement else { return nil }
        (self.root, self.path, self.settlingTime) = (root, path, settlingTime)
        self.logger = logger
    }

    private var name: String { "\(Digest(of: Array("\(root.path)\n\(root.executableFolder)".utf8))).index" }

    /// Returns the identity of a regular file, or nil if the file changed within the settling time or the index is not
    /// in use.
    ///
    /// Call this method before reading the file. If the file changes or is replaced after the call, its change time is
    /// later, so the identity never matches again.
    func identify(_ name: String, in folder: OpenFolder) -> FileIdentity? {
        if !isInUse { return nil }
        return folder.identity(ofRegularFile: name).flatMap { $0.age >= settlingTime ? $0 : nil }
    }

    /// True if ``open()`` was called, because the root has many files.
    var isInUse: Bool { state.withLock { $0.sources != nil } }

    /// Returns the manifest from a file of the root if the file is unchanged.
    ///
    /// - Parameter identity: The file's identity. Nil if ``identify(_:in:)`` returned nil.
    func manifest(from file: String, _ identity: FileIdentity?) -> Manifest? {
        state.withLock { state in
            guard let entry = state.stored[file], entry.identity == identity else {
                state.misses += 1
                return nil
            }
            state.current[file] = entry
            return entry.manifest
        }
    }

    func add(_ manifest: Manifest, from file: String, _ identity: FileIdentity) {
        state.withLock { $0.current[file] = Entry(identity: identity, manifest: manifest) }
    }

    /// Logs how many files were read because the index has no current entry for them.
    func logMisses() {
        logger.log(.debug, "read \(state.withLock { $0.misses }) manifests that are not in the index")
    }

    /// Prepares the index for reading a root with many files. Until the first call, the index is not in use. The first
    /// call reads the index file. Later calls keep only the entries that were used or added since the previous call.
    func open() {
        let failure = state.withLock { state -> RegularFile.Failure? in
            state.misses = 0
            if state.sources != nil {
                (state.stored, state.current) = (state.current, [:])
                return nil
            }
            state.start = .now
            let sources = IndexSources(of: root)
            state.sources = sources
            do throws(RegularFile.Failure) {
                let folder = try OpenFolder(path, root.trust.ofProcess)
                state.folder = folder
                let bytes = [UInt8](try folder.file(name).read(limit: Self.limit))
                let (stored, entries) = try Self.decode(bytes)
                guard stored == sources else { throw RegularFile.Failure("the host or its users changed") }
                state.stored = entries
                return nil
            } catch {
                return error
            }
        }
        if let failure { logger.log(.debug, "the index of \(root.path) is not used: \(failure.cause)") }
    }

    /// Writes the file if its entries differ from the entries that this process has used or added. Does nothing if the
    /// index was not used, or if a file outside the root on which it depends has changed too recently.
    package func save() {
        let failure = state.withLock { state -> RegularFile.Failure? in
            guard let sources = state.sources, state.current != state.stored,
                sources.areSettled(for: settlingTime + (.now - state.start))
            else { return nil }
            do throws(RegularFile.Failure) {
                try write(Self.encode(sources, state.current), &state.folder)
                state.stored = state.current
                return nil
            } catch {
                return error
            }
        }
        if let failure { logger.log(.debug, "the index of \(root.path) is not written: \(failure.cause)") }
    }

    /// Replaces the file without syncing it. If a power failure damages the file, the host discards it.
    private func write(_ bytes: [UInt8], _ folder: inout OpenFolder?) throws(RegularFile.Failure) {
        if bytes.count > Self.limit { throw RegularFile.Failure("it would have \(bytes.count) bytes") }
        if folder == nil { folder = try makeFolder() }
        guard let place = folder?.ownPath else { return }
        removeOldFiles(place)
        // No other process uses this name.
        let draft = "\(place)/\(name).\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
        if let error = writeNewFile(bytes, to: draft, permissions: 0o600, isSynced: false) {
            throw RegularFile.Failure(errno: error)
        }
        if rename(draft, "\(place)/\(name)") != 0 {
            let failure = RegularFile.Failure(errno: errno)
            unlink(draft)
            throw failure
        }
    }

    /// Creates the cache folder and, if necessary, its parent folder. Does not create any folder above these, such as
    /// the home folder.
    private func makeFolder() throws(RegularFile.Failure) -> OpenFolder {
        let trust = root.trust.ofProcess
        let parent = parentFolder(of: path)
        do throws(RegularFile.Failure) { _ = try OpenFolder(parent, trust, as: .ancestor) } catch {
            guard error.isMissing else { throw error }
            _ = try OpenFolder(parentFolder(of: parent), trust, as: .ancestor)
        }
        for folder in [parent, path] where mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw RegularFile.Failure(errno: errno)
        }
        return try OpenFolder(path, trust)
    }

    /// Removes the indexes that no host has written for 90 days. Also removes temporary files that are older than 60
    /// seconds, which hosts left behind when they were killed while writing.
    private func removeOldFiles(_ folder: String) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where name.contains(".index") {
            let path = "\(folder)/\(name)"
            guard let written = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date else { continue }
            let limit: TimeInterval = name.hasSuffix(".index") ? 90 * 86_400 : 60
            if -written.timeIntervalSinceNow > limit { unlink(path) }
        }
    }

    private static func encode(_ sources: IndexSources, _ entries: [String: Entry]) -> [UInt8] {
        var writer = IndexWriter()
        sources.write(to: &writer)
        writer.add(entries.sorted { $0.key < $1.key }) { writer, entry in
            writer.add(entry.key)
            entry.value.identity.write(to: &writer)
            entry.value.manifest.write(to: &writer)
        }
        var beginning = IndexWriter()
        beginning.add(checksum(writer.bytes[...]))
        return beginning.bytes + writer.bytes
    }

    private static func decode(
        _ bytes: [UInt8]
    ) throws(RegularFile.Failure) -> (IndexSources, [String: Entry]) {
        do throws(IndexReader.Damage) {
            var reader = IndexReader(bytes[...])
            guard try reader.number() == checksum(reader.rest) else { throw IndexReader.Damage() }
            let sources = try IndexSources(from: &reader)
            let entries = try reader.list { reader throws(IndexReader.Damage) in
                (
                    try reader.text(),
                    Entry(identity: try FileIdentity(from: &reader), manifest: try Manifest(from: &reader))
                )
            }
            return (sources, Dictionary(entries) { first, _ in first })
        } catch {
            throw RegularFile.Failure("it is damaged")
        }
    }

    /// Returns a 64-bit FNV-1a hash, which detects damage; see https://www.rfc-editor.org/rfc/rfc9923.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
