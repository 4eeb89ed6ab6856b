package import HostSystem
package import ViperKit

/// A data provider that stores each collection in a JSON file. All files are in one folder. Each change rewrites the
/// whole file, so the provider is suitable for thousands of records, but not for millions.
///
/// Each file is a readable array with one encoded record per line. Manual edits take effect at the next call. If a file
/// is damaged, calls throw an error with the position of the damage and do not change the file.
///
/// Several providers and processes can use the same folder. Observers receive this provider's own changes immediately.
/// They receive manual edits and changes made by other providers and processes within a second.
package struct JSONDataProvider: DataProvider {
    let store: JSONStore
    let observers: CollectionObservers

    /// Creates a provider that stores its files in a folder. The first change creates the folder, which only its owner
    /// can access.
    package init(folder: String) { self.init(folder: folder, trust: nil) }

    /// - Parameter timeout: The maximum time that a call waits for other processes.
    package init(folder: String, trust: Trust?, timeout: Duration = .seconds(30)) {
        let store = JSONStore(folder: StoreFolder(path: folder, trust: trust, timeout: timeout))
        self.store = store
        // Each check reads only the metadata of the observed files, so two checks per second cause no noticeable load.
        // Unlike inotify, a check needs no descriptor, and it works before the folder exists.
        observers = CollectionObservers(every: .milliseconds(500)) { observed in
            await BlockingWork.run { store.changed(of: observed) }
        }
    }

    package func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        try await store.file(collection).decode(type)
    }

    package func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        try await store.file(collection).decode(type, id: id)
    }

    package func apply(_ changes: [DataChange]) async throws(ViperError) {
        var encoded: [EncodedChange] = []
        for change in changes { encoded.append(try EncodedChange(change, with: FoundationJSONCoder())) }
        if encoded.isEmpty { return }
        try await store.apply(encoded)
        observers.notifyObservers(of: Set(encoded.map(\.collection)))
    }

    package func changes(in collection: String) -> AsyncStream<CollectionChange> { observers.changes(in: collection) }
}

struct JSONStore {
    let folder: StoreFolder
    let known = KnownFiles()

    func file(_ collection: String) async throws(ViperError) -> CollectionFile {
        try EncodedChange.validateCollectionName(collection)
        return try await folder.locked(for: .reading) { () throws(ViperError) in try read(collection) }
    }

    func apply(_ changes: [EncodedChange]) async throws(ViperError) {
        try await folder.locked(for: .writing) { () throws(ViperError) in
            var collections: [String: RecordCollection] = [:]
            for change in changes {
                let name = change.collection
                if collections[name] == nil { collections[name] = try read(name).collection() }
                // Change the collection in place, so that it is not copied for each change.
                try collections[name]?.apply(change)
            }
            var files: [String: [UInt8]] = [:]
            for (name, records) in collections {
                let (content, limit) = (CollectionFile.content(records), StoreFolder.longestFile)
                guard content.count <= limit else {
                    throw ViperError(
                        .storeFailed, operation: "cannot write file", subject: folder.path(name + ".json"),
                        cause: "it would have \(content.count) bytes, more than the limit of \(limit)")
                }
                files[name + ".json"] = content
            }
            try folder.replace(files)
            // The provider notifies observers of its own changes, so the next check must not report them again.
            for name in collections.keys { known.replace(name, by: FileIdentity(of: path(of: name))) }
        }
    }

    /// Returns the collections whose files differ from the identities in ``known``, and updates these identities.
    func changed(of collections: Set<String>) -> Set<String> {
        collections.filter { known.replace($0, by: FileIdentity(of: path(of: $0))) }
    }

    private func path(of collection: String) -> String { folder.path(collection + ".json") }

    private func read(_ collection: String) throws(ViperError) -> CollectionFile {
        // Get the file's identity before reading its content, so that a change during or after the read is detected.
        known.add(collection, FileIdentity(of: path(of: collection)))
        return CollectionFile(
            path: path(of: collection), data: try folder.read(collection + ".json", limit: StoreFolder.longestFile))
    }
}
