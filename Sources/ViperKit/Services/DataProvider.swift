/// Keeps records in named collections. Where and how is the provider's business: a file, a database, a server.
///
/// ```swift
/// let people = try await provider.all(Person.self, in: "people")
/// try await provider.insert(Person(id: "7", name: "Ada"), into: "people")
/// ```
///
/// A collection exists as soon as something is in it; an unknown one is empty. Its name has the grammar of a service's name.
/// Records keep the order in which they were inserted. A change that was acknowledged (its call has returned) survives a
/// crash of the process. Works off the main actor; safe from many tasks at once.
public protocol DataProvider: Sendable {
    /// All records of a collection, in the order in which they were inserted.
    ///
    /// - Throws: ``ViperError/Code/recordInvalid`` when a record is not of this type, ``ViperError/Code/storeFailed`` when
    ///   the store cannot be read.
    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R]

    /// The record with this id, or nil.
    ///
    /// - Throws: As ``all(_:in:)``.
    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R?

    /// Makes changes, in order, all of them or none.
    ///
    /// - Throws: ``ViperError/Code/recordExists`` for an insert of an id that is there, ``ViperError/Code/recordMissing`` for a
    ///   replacement or deletion of one that is not, ``ViperError/Code/recordInvalid`` for a record that cannot be
    ///   written or a collection whose name is wrong, ``ViperError/Code/storeFailed`` when the store cannot be written.
    func apply(_ changes: [DataChange]) async throws(ViperError)
}

/// A plain value with an id that is unique in its collection.
///
/// A provider keeps the encoded form, and knows no more of it than this: it is a JSON object that has the record's id, a
/// string, under the key `id`. A provider refuses a record that is encoded otherwise, with
/// ``ViperError/Code/recordInvalid``.
public protocol Record: Codable, Sendable {
    /// The id: any text that is not empty.
    ///
    /// Ids are compared by their bytes in UTF-8, as files, databases and servers compare them. `==` is more generous: to
    /// it an é of one code point equals one of two, which are two ids here.
    var id: String { get }
}

/// One change of a collection.
public enum DataChange: Sendable {
    /// Adds a record at the collection's end.
    case insert(any Record, into: String)
    /// Puts a record in the place of the one with its id.
    case replace(any Record, in: String)
    /// Removes a record.
    case delete(id: String, from: String)
}

extension DataProvider {
    /// Adds one record. Throws as ``apply(_:)``.
    public func insert(_ record: any Record, into collection: String) async throws(ViperError) {
        try await apply([.insert(record, into: collection)])
    }

    /// Replaces one record. Throws as ``apply(_:)``.
    public func replace(_ record: any Record, in collection: String) async throws(ViperError) {
        try await apply([.replace(record, in: collection)])
    }

    /// Removes one record. Throws as ``apply(_:)``.
    public func delete(id: String, from collection: String) async throws(ViperError) {
        try await apply([.delete(id: id, from: collection)])
    }
}

extension ServiceKey where Service == any DataProvider {
    /// The data provider that was chosen for this host, `data-provider` in manifests.
    public static var dataProvider: Self { Self("data-provider") }
}
