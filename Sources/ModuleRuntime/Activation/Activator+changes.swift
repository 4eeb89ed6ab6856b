import HostSystem
package import ModuleCatalog
package import ViperKit

// How generations follow what changes.
extension Activator {
    /// Puts a newer version of a module in the place of the one that is there, if it proves to work.
    ///
    /// - Throws: Why it does not. The one that is there stays then, with all that it has; unless it was not loaded yet, and its
    ///   library turns out to be of no use.
    package func replace(by entry: CatalogEntry) async throws(ViperError) {
        try await untilCurrent(entry.file) { () async throws(ViperError) in try await replaceOnce(by: entry) }
    }

    private func replaceOnce(by entry: CatalogEntry) async throws(ViperError) {
        // One that is about to be made comes first.
        _ = await activations[entry.file]?.value
        guard let current = registry.snapshot.module(from: entry.file), current.state != .retired else { return }
        let manifest = try entry.manifest.get()
        let preview = registry.preview(entry)
        guard let record = preview.module(from: entry.file) else { return }
        if let refusal = record.state.refusal { throw refusal }
        guard let old = current.generation else {
            // Of a library that was not loaded there is nothing left that could be kept.
            if !registry.take([entry]).isEmpty { throw .outdated(current.name) }
            return try await prove(entry.file)
        }
        try await proveProviders(of: record, in: preview)
        let copy = try await codes.copy(manifest)
        // Touched, or copied over by itself.
        if manifest == old.manifest, let digest = copy?.digest, digest == old.code.copy?.digest { return }
        let code = try await codes.code(of: record, manifest, from: copy, in: preview)
        let generation = try await makeHealthy(record, manifest, in: preview, with: code)
        if registry.replace(current, by: entry, as: generation) { return }
        discard(generation)
        throw .outdated(current.name)
    }

    /// Tries a refused module again, whose files are the same. It stays refused until it has proved to work.
    ///
    /// - Throws: Why it does not.
    package func retry(_ entry: CatalogEntry) async throws(ViperError) {
        try await untilCurrent(entry.file) { () async throws(ViperError) in
            let preview = registry.preview(entry)
            guard let record = preview.module(from: entry.file), record.state == .resolved else { return }
            do throws(ViperError) { try await prove(record, in: preview) } catch {
                // It may be another reason than before. Of what only lacks a provider that one is still the best.
                if error.isOfModule, error.code != .requirementUnmet { registry.explain([entry.file: error]) }
                throw error
            }
            registry.take([entry])
        }
    }

    /// Lets everything follow what has changed in the registry: modules that lost what they require go, those that are wired with
    /// a generation that answers no more are made anew, providers before those that use them.
    package func settle() async {
        registry.resolve()
        var visited: Set<String> = []
        for record in registry.snapshot.modules { await rewire(record.file, &visited) }
        endOrphans()
    }

    private func rewire(_ file: String, _ visited: inout Set<String>) async {
        guard visited.insert(file).inserted, let record = registry.snapshot.module(from: file) else { return }
        let providers = registry.snapshot.providers(for: record)
        for provider in providers.values.sorted(by: { $0.file < $1.file }) { await rewire(provider.file, &visited) }
        do { try await untilCurrent(file) { () async throws(ViperError) in try await rewireOnce(file) } } catch {
            registry.note(file, \.wiringRejection, error)
        }
    }

    private func rewireOnce(_ file: String) async throws(ViperError) {
        let snapshot = registry.snapshot
        guard let record = snapshot.module(from: file), let manifest = record.manifest,
            let generation = record.generation
        else { return }
        var code = generation.code
        if Wiring(of: record, in: snapshot, isIsolated: code.isIsolated) == generation.wiring {
            if record.wiringRejection != nil { registry.note(file, \.wiringRejection, nil) }
            return
        }
        // A worker has a copy of what provides for it.
        if code.isIsolated { code = try await codes.code(of: record, manifest, from: code.copy, in: snapshot) }
        let newer = try await makeHealthy(record, manifest, in: snapshot, with: code)
        if registry.activate(record, as: newer) { return registry.note(file, \.wiringRejection, nil) }
        discard(newer)
        throw .outdated(record.name)
    }

    /// Makes a generation that is to take another one's place, and asks it for its health.
    private func makeHealthy(
        _ record: ModuleRecord, _ manifest: Manifest, in snapshot: RegistrySnapshot, with code: any ModuleCode
    ) async throws(ViperError) -> Generation {
        let generation = try await make(record, manifest, in: snapshot, with: code)
        do { try await checkHealth(of: generation) } catch {
            discard(generation)
            throw error
        }
        return generation
    }
}
