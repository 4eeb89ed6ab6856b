/// A store for records in named collections, such as a folder of files, a database, or a server.
///
/// ```swift
/// let people = try await provider.all(Person.self, in: "people")
/// try await provider.insert(Person(id: "7", name: "Ada"), into: "people")
/// ```
///
/// Inserting a collection's first record creates the collection. A collection that does not exist reads as empty.
/// Collection names have the same syntax as service names. Records keep their insertion order. After ``apply(_:)``
/// returns, its changes survive a crash of the process. All methods run off the main actor and may be called
/// concurrently.
public protocol DataProvider: Sendable {
    /// Returns all records of a collection in insertion order.
    ///
    /// - Throws: ``ViperError/Code/recordInvalid`` if a record cannot be decoded as the type, or the collection's name
    ///   is invalid; ``ViperError/Code/storeFailed`` if the store cannot be read.
    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R]

    /// Returns the record with the given ID, or nil if there is none.
    ///
    /// - Throws: The same errors as ``all(_:in:)``.
    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R?

    /// Returns the records that a query selects.
    ///
    /// Only the selected records must be decodable as the type. The default implementation reads the whole collection.
    ///
    /// - Throws: The same errors as ``all(_:in:)``; ``ViperError/Code/recordMissing`` if no record has the ID in
    ///   ``RecordQuery/after``.
    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R]

    /// Applies changes in order. If one of the changes fails, applies none of them.
    ///
    /// - Throws:
    ///   - ``ViperError/Code/recordExists`` if a record with the ID of an inserted record already exists.
    ///   - ``ViperError/Code/recordMissing`` if a record to replace or delete does not exist.
    ///   - ``ViperError/Code/recordInvalid`` if a record cannot be encoded, or a collection's name is invalid.
    ///   - ``ViperError/Code/storeFailed`` if the store cannot be written.
    func apply(_ changes: [DataChange]) async throws(ViperError)

    /// Returns a stream of future changes that this provider makes to a collection. A provider may also report changes
    /// by other processes, and may report a change even if the collection is unchanged.
    ///
    /// To avoid missing a change, call this method before you read the collection. The stream combines unread changes
    /// into one. Cancelling the task that reads the stream ends the observation. When the provider is deallocated, the
    /// stream ends.
    ///
    /// The default implementation returns a stream that ends immediately.
    func changes(in collection: String) -> AsyncStream<CollectionChange>
}

/// A plain value with an ID that is unique in its collection.
///
/// Providers store the encoded record. It must be a JSON object that contains the record's ID as a string under the key
/// `id`. For any other encoding, providers throw ``ViperError/Code/recordInvalid``.
public protocol Record: Codable, Sendable {
    /// The record's ID. It must not be empty.
    ///
    /// Providers compare IDs by their UTF-8 bytes, as files, databases and servers do. Strings that are equal under
    /// `==`, such as the composed and the decomposed form of é, can therefore be different IDs.
    var id: String { get }
}

/// A change to a collection.
public enum DataChange: Sendable {
    /// An insertion of a record at the end of a collection.
    case insert(any Record, into: String)
    /// A replacement of the record with the same ID.
    case replace(any Record, in: String)
    /// A deletion of the record with the given ID.
    case delete(id: String, from: String)
}

extension DataProvider {
    public func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        try await recordsByReadingAll(type, in: collection, matching: query)
    }

    /// Inserts a record at the end of a collection. Throws the same errors as ``apply(_:)``.
    public func insert(_ record: any Record, into collection: String) async throws(ViperError) {
        try await apply([.insert(record, into: collection)])
    }

    /// Replaces the record with the same ID in a collection. Throws the same errors as ``apply(_:)``.
    public func replace(_ record: any Record, in collection: String) async throws(ViperError) {
        try await apply([.replace(record, in: collection)])
    }

    /// Deletes the record with the given ID from a collection. Throws the same errors as ``apply(_:)``.
    public func delete(id: String, from collection: String) async throws(ViperError) {
        try await apply([.delete(id: id, from: collection)])
    }
}

extension ServiceKey where Service == any DataProvider {
    /// The selected data provider, named `data-provider` in manifests. The host or a module provides this service.
    public static var dataProvider: Self { Self("data-provider") }
}
