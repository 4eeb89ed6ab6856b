import HostSystem
package import ViperKit

extension Catalog {
    /// Creates a catalog by reading a root that should contain a route. If no manifest declares the route, waits for
    /// libraries that another process is still writing, because one of these libraries may contain the manifest.
    ///
    /// - Throws: ``ViperError/Code/libraryUnfinished`` if none of these libraries is complete within `timeout`.
    ///   Otherwise, the same errors as ``init(reading:)``.
    package init(
        reading root: Root, with index: CatalogIndex?, for route: String, within timeout: Duration
    ) async throws(ViperError) {
        let end = ContinuousClock.now + timeout
        while true {
            let catalog = try await BlockingWork.run { () throws(ViperError) in try Catalog(reading: root, with: index)
            }
            let libraries = catalog.unfinished.compactMap { pathNames($0.file).last }
            if libraries.isEmpty || catalog.has(route) {
                self = catalog
                return
            }
            // Reads only the incomplete libraries again, not the whole root.
            try await whenFinished(within: end - .now) { () throws(ViperError) in
                let plugins = try root.open("Plugins")[0]
                let errors = libraries.map { name in
                    plugins.flatMap { CatalogEntry(packedIn: name, in: $0) }?.unfinished
                }
                if let error = errors[0], !errors.contains(nil) { throw error }
            }
        }
    }

    /// The entries whose manifests are unknown because another process is still writing their libraries.
    package var unfinished: [CatalogEntry] { entries.filter { $0.unfinished != nil } }

    private func has(_ route: String) -> Bool {
        entries.contains { entry in (try? entry.manifest.get())?.routes.contains { $0.name == route } ?? false }
    }
}

extension CatalogEntry {
    /// The entry's error if another process is still writing its library. Nil otherwise.
    fileprivate var unfinished: ViperError? {
        if case .failure(let error) = manifest, error.isUnfinished { error } else { nil }
    }
}
