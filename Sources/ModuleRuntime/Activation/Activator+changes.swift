package import ModuleCatalog
package import ViperKit

extension Activator {
    /// Replaces a module with a newer version if that version works. A module without a generation is always replaced.
    ///
    /// - Throws: An error if the newer version does not work. If the module has a generation, that generation stays in
    ///   use.
    package func replace(by entry: CatalogEntry) async throws(ViperError) {
        try await retryIfOutdated(entry.file) { () async throws(ViperError) in try await replaceOnce(by: entry) }
    }

    /// Adds newer versions of modules that are not loaded, in a single step.
    ///
    /// - Returns: The entries that were skipped: those that ``Registry/takeUsable(_:)`` skips, and those whose modules
    ///   are being loaded, because their generations must be replaced.
    package func takeUsable(_ entries: [CatalogEntry]) -> [CatalogEntry] {
        let loading = entries.filter { activations[$0.file] != nil }
        return loading + registry.takeUsable(entries.filter { activations[$0.file] == nil })
    }

    private func replaceOnce(by entry: CatalogEntry) async throws(ViperError) {
        // If an activation is running, its generation is the one to replace.
        _ = await activations[entry.file]?.value
        guard let current = registry.snapshot.module(from: entry.file), current.state != .retired else { return }
        let manifest = try entry.manifest.get()
        let preview = registry.preview(entry)
        guard let record = preview.module(from: entry.file) else { return }
        if let refusal = record.state.refusal { throw refusal }
        guard let old = current.generation else {
            // There is no generation to keep, and the old library file no longer exists.
            if !registry.take([entry]).isEmpty { throw .outdated(current.name) }
            return try await prove(entry.file)
        }
        try await proveProviders(of: record, in: preview)
        let copy = try await codes.copy(manifest)
        // Only the modification times changed, or the files were overwritten with the same content.
        if manifest == old.manifest, let digest = copy?.digest, digest == old.code.copy?.digest { return }
        let code = try await codes.code(of: record, manifest, from: copy, in: preview)
        let generation = try await makeHealthy(record, manifest, in: preview, with: code)
        if registry.replace(current, by: entry, as: generation) { return }
        discard(generation)
        throw .outdated(current.name)
    }

    /// Checks a refused module again, although its files have not changed. If the check passes, the module is no longer
    /// refused.
    ///
    /// - Throws: An error if the module still does not work.
    package func retry(_ entry: CatalogEntry) async throws(ViperError) {
        try await retryIfOutdated(entry.file) { () async throws(ViperError) in
            let preview = registry.preview(entry)
            guard let record = preview.module(from: entry.file), record.state == .resolved else { return }
            do throws(ViperError) { try await prove(record, in: preview) } catch {
                // The new error may differ from the stored error. If only a provider is missing, the stored error is
                // more informative.
                if error.isModuleFault, error.code != .requirementUnmet { registry.explain([entry.file: error]) }
                throw error
            }
            registry.take([entry])
        }
    }

    /// Updates all generations to match the registry.
    ///
    /// A module that lacks a required service loses its generation. If a module's provider was replaced, the module
    /// gets a new generation too, after all its providers. Replaced generations are stopped.
    package func settle() async {
        registry.resolve()
        var visited: Set<String> = []
        for record in registry.snapshot.modules where record.generation != nil { await rewire(record.file, &visited) }
        endOrphans()
    }

    private func rewire(_ file: String, _ visited: inout Set<String>) async {
        guard visited.insert(file).inserted, let record = registry.snapshot.module(from: file) else { return }
        let providers = registry.snapshot.providers(for: record)
        for provider in providers.values.sorted(by: { $0.file < $1.file }) { await rewire(provider.file, &visited) }
        do { try await retryIfOutdated(file) { () async throws(ViperError) in try await rewireOnce(file) } } catch {
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
        // A worker contains copies of its providers' libraries, so the code must be prepared again.
        if code.isIsolated { code = try await codes.code(of: record, manifest, from: code.copy, in: snapshot) }
        let newer = try await makeHealthy(record, manifest, in: snapshot, with: code)
        if registry.activate(record, as: newer) { return registry.note(file, \.wiringRejection, nil) }
        discard(newer)
        throw .outdated(record.name)
    }

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
