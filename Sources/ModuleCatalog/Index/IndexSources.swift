import HostSystem

/// The facts outside the root on which an index depends. If one of them changes, the host discards the index.
struct IndexSources: Equatable {
    /// The properties of this process, such as its root and the users that it trusts.
    private let settings: [String]
    /// The identities of the host's program and of the lists of users and groups, keyed by path. A value is nil if the
    /// file is missing.
    private let files: [String: FileIdentity?]

    /// Creates a snapshot of the current facts for a root.
    init(of root: Root) {
        settings =
            ["viper-index-3", root.path, root.executableFolder]
            + root.trust.options + [Trust.outsider.map { "\($0)" } ?? ""]
        let paths = ["/proc/self/exe", "/etc/passwd", "/etc/group"]
        files = Dictionary(uniqueKeysWithValues: paths.map { ($0, FileIdentity(of: $0)) })
    }

    /// Returns true if no file has changed within the given time.
    func areSettled(for time: Duration) -> Bool { files.values.allSatisfy { $0.map { $0.age >= time } ?? true } }

    func write(to writer: inout IndexWriter) {
        writer.add(settings) { $0.add($1) }
        writer.add(files.sorted { $0.key < $1.key }) { writer, file in
            writer.add(file.key)
            writer.add(file.value) { $1.write(to: &$0) }
        }
    }

    init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        settings = try reader.list { reader throws(IndexReader.Damage) in try reader.text() }
        let files = try reader.list { reader throws(IndexReader.Damage) in
            (
                try reader.text(),
                try reader.optional { reader throws(IndexReader.Damage) in try FileIdentity(from: &reader) }
            )
        }
        self.files = Dictionary(files) { first, _ in first }
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
