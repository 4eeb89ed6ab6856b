import DataProviders
import FoundationEssentials
import HostSystem
import Synchronization
public import ViperKit

/// A data provider that keeps records in memory, for tests of modules that require `data-provider`.
///
/// It meets the same requirements as other providers and throws the same errors. It encodes records as JSON, so every
/// record that it accepts can also be stored in a file or database.
public final class MemoryDataProvider: DataProvider {
    private let collections = Mutex<[String: RecordCollection]>([:])
    private let broken = Mutex<ViperError?>(nil)
    private let observers = CollectionObservers()

    /// Creates a provider without records.
    public init() {}

    /// The error that every call to read or change records throws. If nil, the provider works normally.
    public var failure: ViperError? {
        get { broken.withLock { $0 } }
        set { broken.withLock { $0 = newValue } }
    }

    public func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        var records: [R] = []
        for json in try content(of: collection).all { records.append(try decode(type, json, in: collection)) }
        return records
    }

    public func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        guard let json = try content(of: collection).record(id) else { return nil }
        return try decode(type, json, in: collection)
    }

    public func apply(_ changes: [DataChange]) async throws(ViperError) {
        if let failure { throw failure }
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: FoundationJSONCoder())) }
        try collections.withLock { collections throws(ViperError) in
            var changed = collections
            for change in encoded {
                try changed[change.collection, default: RecordCollection()].apply(change)
            }
            collections = changed
        }
        observers.notifyObservers(of: Set(encoded.map(\.collection)))
    }

    /// The names of the collections that currently have observers.
    public var observedCollections: Set<String> { observers.observedCollections }

    public func changes(in collection: String) -> AsyncStream<CollectionChange> { observers.changes(in: collection) }

    private func content(of collection: String) throws(ViperError) -> RecordCollection {
        if let failure { throw failure }
        try EncodedChange.validateCollectionName(collection)
        return collections.withLock { $0[collection] } ?? RecordCollection()
    }

    private func decode<R: Record>(
        _ type: R.Type, _ json: ArraySlice<UInt8>, in collection: String
    ) throws(ViperError) -> R {
        do {
            return try FoundationJSONCoder().decode(type, from: Array(json), named: collection)
        } catch {
            throw ViperError(
                .recordInvalid, operation: "cannot read records", subject: error.subject, cause: error.cause,
                notes: error.notes,
                fix: error.fix)
        }
    }
}
