package import HostSystem
public import ViperKit

/// A data provider that keeps each collection in a JSON file in one folder. Each change writes the whole file, so it
/// suits thousands of records, not millions.
///
/// The files are readable: an array with one encoded record per line. The next call sees any edit by hand. If a file is
/// damaged, calls throw an error with the position and leave the file unchanged.
///
/// Several providers and processes can use the same folder.
public struct JSONDataProvider: DataProvider {
    private let store: JSONStore

    /// Creates a provider for a folder. The first change creates the folder, accessible only to its owner.
    public init(folder: String) { self.init(folder: folder, trust: nil) }

    package init(folder: String, trust: Trust?) { store = JSONStore(folder: StoreFolder(path: folder, trust: trust)) }

    public func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        try await store.file(collection).decode(type)
    }

    public func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        try await store.file(collection).decode(type, id: id)
    }

    public func apply(_ changes: [DataChange]) async throws(ViperError) {
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: FoundationJSONCoder())) }
        if !encoded.isEmpty { try await store.apply(encoded) }
    }
}

private struct JSONStore {
    let folder: StoreFolder

    func file(_ collection: String) async throws(ViperError) -> CollectionFile {
        try EncodedChange.checkCollection(collection)
        return try await folder.locked(for: .reading) { () throws(ViperError) in try read(collection) }
    }

    func apply(_ changes: [EncodedChange]) async throws(ViperError) {
        try await folder.locked(for: .writing) { () throws(ViperError) in
            var collections: [String: RecordCollection] = [:]
            for change in changes {
                let name = change.collection
                if collections[name] == nil { collections[name] = try read(name).collection() }
                // In place, to avoid a copy of the collection for each change.
                try collections[name]?.apply(change)
            }
            var files: [String: [UInt8]] = [:]
            for (name, records) in collections {
                let (content, limit) = (CollectionFile.content(records), StoreFolder.longestFile)
                guard content.count <= limit else {
                    throw ViperError(
                        .storeFailed, "cannot write file", folder.path(name + ".json"),
                        cause: "it would have \(content.count) bytes, more than the limit of \(limit)")
                }
                files[name + ".json"] = content
            }
            try folder.replace(files)
        }
    }

    private func read(_ collection: String) throws(ViperError) -> CollectionFile {
        let name = collection + ".json"
        return CollectionFile(
            path: folder.path(name), data: try folder.read(name, limit: StoreFolder.longestFile))
    }
}
