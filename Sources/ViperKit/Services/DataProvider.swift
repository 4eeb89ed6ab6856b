/// A store for records in named collections, such as a folder of files, a database, or a server.
///
/// ```swift
/// let people = try await provider.all(Person.self, in: "people")
/// try await provider.insert(Person(id: "7", name: "Ada"), into: "people")
/// ```
///
/// A collection is created by its first record; an unknown collection is empty. Collection names have the same syntax
/// as service names. Records keep their insertion order. After ``apply(_:)`` returns, its changes survive a crash of
/// the process. All methods run off the main actor and may be called concurrently.
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
    /// A selected record must have the type; the others need not. The default implementation reads the whole
    /// collection.
    ///
    /// - Throws: The same errors as ``all(_:in:)``; ``ViperError/Code/recordMissing`` if ``RecordQuery/after`` is the
    ///   ID of no record; ``ViperError/Code/queryUnsupported`` if the query has features that the provider does not
    ///   support.
    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R]

    /// Applies changes in order. Applies either all of them or none.
    ///
    /// - Throws:
    ///   - ``ViperError/Code/recordExists`` if an inserted ID already exists.
    ///   - ``ViperError/Code/recordMissing`` if a replaced or deleted ID does not exist.
    ///   - ``ViperError/Code/recordInvalid`` if a record cannot be encoded, or a collection's name is invalid.
    ///   - ``ViperError/Code/storeFailed`` if the store cannot be written.
    func apply(_ changes: [DataChange]) async throws(ViperError)

    /// Returns the changes of a collection from now on, made by this provider. A provider may also report changes by
    /// other processes, and may report a change although the collection is the same.
    ///
    /// Begin to observe before you read, so that no change is missed. Changes that the reader has not taken yet are
    /// combined into one. Cancelling the reading task ends the observation. The stream ends if the provider is freed.
    ///
    /// The default implementation returns a stream that ends at once.
    func changes(in collection: String) -> AsyncStream<CollectionChange>
}

/// A plain value with an ID that is unique in its collection.
///
/// Providers store the encoded form, which must be a JSON object with the record's ID as a string under the key `id`.
/// They refuse any other form with ``ViperError/Code/recordInvalid``.
public protocol Record: Codable, Sendable {
    /// The record's ID: any text that is not empty.
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

    /// Adds one record. Throws the same errors as ``apply(_:)``.
    public func insert(_ record: any Record, into collection: String) async throws(ViperError) {
        try await apply([.insert(record, into: collection)])
    }

    /// Replaces one record. Throws the same errors as ``apply(_:)``.
    public func replace(_ record: any Record, in collection: String) async throws(ViperError) {
        try await apply([.replace(record, in: collection)])
    }

    /// Deletes one record. Throws the same errors as ``apply(_:)``.
    public func delete(id: String, from collection: String) async throws(ViperError) {
        try await apply([.delete(id: id, from: collection)])
    }
}

extension ServiceKey where Service == any DataProvider {
    /// The selected data provider, named `data-provider` in manifests. The host or a module provides this service.
    public static var dataProvider: Self { Self("data-provider") }
}
