import Synchronization
import ViperKit
import ViperTesting

/// A provider that is correct except for one defect.
final class FaultyDataProvider: DataProvider {
    enum Defect: String {
        case losesOrder, forgetsAtomicity, insertsTwice, movesReplaced, takesAnyName, throwsSomethingElse, readsOnlyOnce
        case comparesByLook, dropsInvalid, ignoresFilter
    }

    private let defect: Defect
    private let memory = MemoryDataProvider()
    private let reads = Mutex<[String: Int]>([:])

    init(_ defect: Defect) { self.defect = defect }

    func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        if defect == .takesAnyName, collection.contains("a") { return [] }
        let count = reads.withLock { reads in
            reads[collection, default: 0] += 1
            return reads[collection, default: 0]
        }
        if defect == .readsOnlyOnce, count > 1 { return [] }
        let records = try await memory.all(type, in: collection)
        return defect == .losesOrder ? records.sorted { $0.id < $1.id } : records
    }

    func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        if defect == .comparesByLook { return try await memory.all(type, in: collection).first { $0.id == id } }
        return try await memory.find(type, id: id, in: collection)
    }

    func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        var query = query
        if defect == .ignoresFilter { query.filter = nil }
        return try await recordsByReadingAll(type, in: collection, matching: query)
    }

    func apply(_ changes: [DataChange]) async throws(ViperError) {
        switch defect {
        case .forgetsAtomicity:
            for change in changes { try await memory.apply([change]) }
        case .insertsTwice:
            do {
                try await memory.apply(changes)
            } catch  where error.code == .recordExists {}
        case .dropsInvalid:
            do {
                try await memory.apply(changes)
            } catch  where error.code == .recordInvalid {}
        case .movesReplaced:
            var other: [DataChange] = []
            for change in changes {
                guard case .replace(let record, let collection) = change else {
                    other.append(change)
                    continue
                }
                other += [.delete(id: record.id, from: collection), .insert(record, into: collection)]
            }
            try await memory.apply(other)
        case .throwsSomethingElse:
            do {
                try await memory.apply(changes)
            } catch {
                throw ViperError(.storeFailed, operation: error.operation, subject: error.subject, cause: error.cause)
            }
        default:
            try await memory.apply(changes)
        }
    }
}
