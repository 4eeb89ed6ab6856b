/// A validated and encoded change, for implementers of ``DataProvider``.
///
/// The collection's name is valid and the record is encoded, so only the store can still reject the change.
///
/// ```swift
/// func apply(_ changes: [DataChange]) async throws(ViperError) {
///     var encoded: [EncodedChange] = []
///     for change in changes { encoded.append(try EncodedChange(change, with: json)) }
///     try await store.apply(encoded)
/// }
/// ```
public struct EncodedChange: Sendable {
    /// The kind of change.
    public let kind: Kind
    /// The name of the collection.
    public let collection: String
    /// The ID of the record. Compare IDs by their UTF-8 bytes.
    public let id: String
    /// The record as a JSON object in UTF-8. Empty for a deletion.
    public let json: [UInt8]

    /// The error that a provider throws for an unknown kind of change, which a later version of ViperKit may add.
    public var unknownKindError: ViperError {
        ViperError(
            .storeFailed, operation: operation, subject: id, cause: "this kind of change is unknown to the provider",
            notes: [.init("collection", collection)],
            fix: "build the provider against this host's ViperKit")
    }

    /// The failed operation to report in an error about this change, such as `cannot insert record`.
    public var operation: String { "cannot \(kind.rawValue) record" }

    /// The kind of a change. This type is a struct so that kinds can be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An insertion at the end of the collection.
        public static var insert: Self { Self(rawValue: "insert") }
        /// A replacement of the record with the same ID.
        public static var replace: Self { Self(rawValue: "replace") }
        /// A deletion.
        public static var delete: Self { Self(rawValue: "delete") }
    }

    /// Creates an encoded change by validating a change and encoding its record.
    ///
    /// - Parameters:
    ///   - change: The change to encode.
    ///   - coder: The coder that encodes the record.
    /// - Throws: ``ViperError/Code/recordInvalid`` if the collection's name is invalid, the record's ID is empty, or
    ///   the encoded record is not a JSON object with the record's ID under the key `id`.
    public init(_ change: DataChange, with coder: any JSONCoder) throws(ViperError) {
        let record: (any Record)?
        switch change {
        case .insert(let new, let name): (kind, collection, id, record) = (.insert, name, new.id, new)
        case .replace(let new, let name): (kind, collection, id, record) = (.replace, name, new.id, new)
        case .delete(let old, let name): (kind, collection, id, record) = (.delete, name, old, nil)
        }
        try Self.validateCollectionName(collection)
        json = if let record { try Self.encode(record, in: collection, kind, coder) } else { [] }
    }

    /// Checks that a collection's name is valid. Stores can use a valid name as the name of a file or table, or in a
    /// URL.
    ///
    /// A valid name has at most 64 characters. It begins with a letter, and contains only lowercase letters, digits,
    /// and single hyphens between them.
    ///
    /// - Throws: ``ViperError/Code/recordInvalid`` if the name is invalid.
    public static func validateCollectionName(_ name: String) throws(ViperError) {
        let words = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isMadeOfWords = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
        guard isMadeOfWords, let first = name.utf8.first, first >= 0x61, name.utf8.count <= 64 else {
            throw ViperError(
                .recordInvalid, operation: "cannot use collection", subject: name, cause: "the name is invalid",
                fix:
                    "write lowercase letters, digits and single hyphens, beginning with a letter, at most 64 characters"
            )
        }
    }

    private static func encode(
        _ record: any Record, in collection: String, _ kind: Kind, _ coder: any JSONCoder
    ) throws(ViperError) -> [UInt8] {
        let id = record.id
        func invalid(_ cause: String, fix: String? = nil) -> ViperError {
            ViperError(
                .recordInvalid, operation: "cannot \(kind.rawValue) record", subject: id, cause: cause,
                notes: [.init("collection", collection)], fix: fix)
        }
        guard !id.isEmpty else { throw invalid("its id is empty", fix: "give it an id") }
        let json: [UInt8]
        do { json = try coder.encode(record) } catch { throw invalid(error.cause) }
        let read: [Identified]
        do {
            // Decodes the record as an array element, as in a stored collection. The array counts toward the nesting
            // limit, so this check ensures that the stored collection can be decoded.
            read = try coder.decode([Identified].self, from: "[".utf8 + json + "]".utf8, named: id)
        } catch {
            throw invalid("its JSON is not an object with an \"id\": \(error.cause)")
        }
        guard read.first?.id.utf8.elementsEqual(id.utf8) == true else {
            throw invalid("the \"id\" in its JSON differs from its id")
        }
        return json
    }

    /// The part of an encoded record that contains its ID.
    private struct Identified: Decodable {
        var id: String
    }
}
