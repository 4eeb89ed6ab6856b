import HostSystem

/// The facts outside the root on which an index depends. If one of them changes, the host discards the index.
struct IndexSources: Equatable {
    /// The properties of this process, such as its root, the users that it trusts, and the paths of its libraries.
    let settings: [String]
    /// The identities of the files on which the index depends, keyed by path. They are the host's program and
    /// libraries, the lists of users and groups, the dynamic linker's cache, and the libraries that modules need. A
    /// value is nil if the file was missing.
    private(set) var files: [String: FileIdentity?]

    /// Creates a snapshot of the current facts for a root.
    ///
    /// - Parameter libraries: The paths of the libraries that this process has loaded.
    init(of root: Root, _ libraries: Set<String>) {
        settings =
            ["viper-index-1", root.path, root.executableFolder]
            + root.trust.options + [Trust.outsider.map { "\($0)" } ?? ""]
            + [environmentVariable("LD_LIBRARY_PATH") ?? ""] + libraries.sorted()
        let system = ["/proc/self/exe", "/etc/passwd", "/etc/group", "/etc/ld.so.cache"]
        files = [:]
        for path in system + libraries { files[path] = .some(FileIdentity(of: path)) }
    }

    private init(settings: [String], files: [String: FileIdentity?]) { (self.settings, self.files) = (settings, files) }

    /// Returns true if no file has changed within the given time.
    func areSettled(for time: Duration) -> Bool { files.values.allSatisfy { $0.map { $0.age >= time } ?? true } }

    /// Adds files.
    ///
    /// - Returns: False if one of the files is already known with another identity, because it changed meanwhile.
    mutating func add(_ others: [String: FileIdentity?]) -> Bool {
        for (path, identity) in others {
            if let known = files[path], known != identity { return false }
            files[path] = .some(identity)
        }
        return true
    }

    /// Returns true if an index with these facts can still be used: the settings are the same, and no file has changed.
    func areValid(for current: IndexSources) -> Bool {
        settings == current.settings && current.files.allSatisfy { files[$0.key] == $0.value }
            && files.allSatisfy { path, identity in
                current.files[path] != nil || FileIdentity(of: path) == identity
            }
    }

    func write(to writer: inout IndexWriter) {
        writer.add(settings) { $0.add($1) }
        writer.add(files.sorted { $0.key < $1.key }) { writer, file in
            writer.add(file.key)
            writer.add(file.value) { $1.write(to: &$0) }
        }
    }

    init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        let settings = try reader.list { reader throws(IndexReader.Damage) in try reader.text() }
        let files = try reader.list { reader throws(IndexReader.Damage) in
            (
                try reader.text(),
                try reader.optional { reader throws(IndexReader.Damage) in try FileIdentity(from: &reader) }
            )
        }
        self.init(settings: settings, files: Dictionary(files) { first, _ in first })
    }

    /// Returns the paths of the libraries that this process has loaded; see proc_pid_maps(5).
    static func loadedLibraries() -> Set<String> {
        let lines = KernelFile.read("/proc/self/maps")?.split(separator: UInt8(ascii: "\n")) ?? []
        return lines.reduce(into: []) { paths, line in
            guard let slash = line.firstIndex(of: UInt8(ascii: "/")) else { return }
            paths.insert(String(decoding: line[slash...], as: UTF8.self))
        }
    }
}

extension FileIdentity {
    func write(to writer: inout IndexWriter) { writer.add(fields) { $0.add($1) } }

    init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        let fields = try reader.list { reader throws(IndexReader.Damage) in try reader.integer() }
        guard let identity = FileIdentity(fields: fields) else { throw IndexReader.Damage() }
        self = identity
    }
}
