/// A change as whoever writes a ``DataProvider`` needs it: its names are checked and its record is encoded, so that what is left to
/// fail is the store. Since ViperKit 1.1.
///
/// ```swift
/// func apply(_ changes: [DataChange]) async throws(ViperError) {
///     var encoded: [EncodedChange] = []
///     for change in changes { encoded.append(try EncodedChange(change, with: json)) }
///     try await store.make(encoded)
/// }
/// ```
public struct EncodedChange: Sendable {
    /// What is done.
    public let kind: Kind
    /// In which collection.
    public let collection: String
    /// To the record with this id. Ids are compared by the bytes of their UTF-8.
    public let id: String
    /// The record as JSON, an object; empty for a deletion.
    public let json: [UInt8]

    /// The error of a provider that does not know a change's kind, because it was built for an older ViperKit.
    public var unknownKind: ViperError {
        ViperError(
            .storeFailed, what, id, cause: "the provider does not know this kind of change",
            notes: [.init("collection", collection)], mend: "build the provider against this host's ViperKit")
    }

    /// What is tried, as the beginning of an error: `cannot insert record`.
    public var what: String { "cannot \(kind.rawValue) record" }

    /// What can be done to a record. A struct, not an enum, so that kinds can be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// A kind with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Adds a record at the collection's end.
        public static var insert: Self { Self(rawValue: "insert") }
        /// Puts a record in the place of the one with its id.
        public static var replace: Self { Self(rawValue: "replace") }
        /// Removes a record.
        public static var delete: Self { Self(rawValue: "delete") }
    }

    /// Checks a change, and encodes its record.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - coder: Writes the record.
    /// - Throws: ``ViperError/Code/recordInvalid`` for a collection or an id that has no valid name, and for a record that cannot be
    ///   written, or not as an object with its own id under the key `id`.
    public init(_ change: DataChange, with coder: any JSONCoder) throws(ViperError) {
        let record: (any Record)?
        switch change {
        case .insert(let new, let name): (kind, collection, id, record) = (.insert, name, new.id, new)
        case .replace(let new, let name): (kind, collection, id, record) = (.replace, name, new.id, new)
        case .delete(let old, let name): (kind, collection, id, record) = (.delete, name, old, nil)
        }
        try Self.checkCollection(collection)
        json = if let record { try Self.encode(record, in: collection, kind, coder) } else { [] }
    }

    /// Checks that a collection has a name that any store can use: as a file's, a table's or a path's. It has the grammar of a
    /// service's name.
    ///
    /// - Throws: ``ViperError/Code/recordInvalid``.
    public static func checkCollection(_ name: String) throws(ViperError) {
        let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isMadeOfWords = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
        guard isMadeOfWords, let first = name.utf8.first, first >= 0x61, name.utf8.count <= 64 else {
            throw ViperError(
                .recordInvalid, "cannot use collection", name, cause: "a collection cannot have this name",
                mend: "write small letters, digits and single hyphens, beginning with a letter, at most 64 of them")
        }
    }

    private static func encode(
        _ record: any Record, in collection: String, _ kind: Kind, _ coder: any JSONCoder
    ) throws(ViperError) -> [UInt8] {
        let id = record.id
        func invalid(_ cause: String, mend: String? = nil) -> ViperError {
            ViperError(
                .recordInvalid, "cannot \(kind.rawValue) record", id, cause: cause,
                notes: [.init("collection", collection)], mend: mend)
        }
        guard !id.isEmpty else { throw invalid("its id is empty", mend: "give it an id") }
        let json: [UInt8]
        do { json = try coder.encode(record) } catch { throw invalid(error.cause) }
        let read: [Identified]
        do {
            // As it will stand in its collection: one level deeper than by itself. Reading it back proves that it can be.
            read = try coder.decode([Identified].self, from: "[".utf8 + json + "]".utf8, named: id)
        } catch {
            throw invalid("it is encoded as something else than an object with an \"id\": \(error.cause)")
        }
        guard read.first?.id.utf8.elementsEqual(id.utf8) == true else {
            throw invalid("it is encoded with another \"id\" than its own")
        }
        return json
    }

    /// The part of an encoded record that every record has.
    private struct Identified: Decodable {
        var id: String
    }
}
