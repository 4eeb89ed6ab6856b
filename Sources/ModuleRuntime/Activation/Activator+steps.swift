import ModuleCatalog
package import ViperKit

extension Activator {
    /// Performs a step of a reconciliation. A module that runs gets its first generation, which is then in the registry.
    /// Another module without a generation is tried in another process. Any other module gets a new generation, which is
    /// not in the registry yet.
    ///
    /// - Returns: The outcome, or nil if the module's providers changed meanwhile, or if a module that runs has its first
    ///   generation.
    package func perform(_ step: Step) async -> Outcome? {
        do {
            if step.isRun {
                _ = try await activate(step.record.file)
                return nil
            }
            guard let old = step.record.generation else {
                try await prove(step.record, in: step.snapshot)
                return Outcome(.success(nil), of: step, at: .now)
            }
            let result = try await generation(after: old, for: step)
            return result.isOutdated ? nil : Outcome(.success(result.generation), of: step, at: .now)
        } catch {
            return Outcome(.failure(error), of: step, at: .now)
        }
    }

    private func generation(
        after old: Generation, for step: Step
    ) async throws(ViperError) -> (generation: Generation?, isOutdated: Bool) {
        let (record, snapshot) = (step.record, step.snapshot)
        guard let manifest = record.manifest else { return (nil, true) }
        var (code, isNew) = (old.code, false)
        if record.files != old.files {
            try await proveProviders(of: record, in: snapshot)
            let copy = try await codes.copy(of: record, manifest)
            // If the content is the same, only the modification times changed, or the files were overwritten.
            let isSame =
                record.files.reloads == old.files.reloads
                && copy.map { manifest == old.manifest && $0.digest == old.code.copy?.digest } ?? false
            if isSame, step.wiring == old.wiring { return (nil, false) }
            if !isSame { (code, isNew) = (try await self.code(of: record, manifest, from: copy, in: snapshot), true) }
        }
        // A worker contains copies of its providers' libraries, so the code must be prepared again.
        if !isNew, code.isIsolated {
            code = try await self.code(of: record, manifest, from: code.copy, in: snapshot)
        }
        guard let generation = try await make(record, manifest, in: snapshot, with: code) else { return (nil, true) }
        do { try await checkHealth(of: generation) } catch {
            generation.retire()
            throw error
        }
        await prepare(generation)
        return (generation, false)
    }

    /// Tries a module in another process, after its providers.
    package func prove(_ record: ModuleRecord, in snapshot: RegistrySnapshot) async throws(ViperError) {
        guard let manifest = record.manifest else { return }
        try await proveProviders(of: record, in: snapshot)
        try await record.history.start { () async throws(ViperError) in
            try await codes.prove(record, manifest, try await codes.copy(of: record, manifest), in: snapshot)
        }
    }

    /// Checks a module's providers. Call this method before checking the module itself, so that a provider's crash is
    /// not attributed to the module. A provider that does not work is refused.
    func proveProviders(of record: ModuleRecord, in snapshot: RegistrySnapshot) async throws(ViperError) {
        for (service, provider) in snapshot.providers(for: record) where provider.generation == nil {
            do { try await prove(provider, in: snapshot) } catch {
                if error.isModuleFault, error.code != .requirementUnmet { registry.refuse(provider, because: error) }
                try tolerateFailure(provider, service, for: record, error)
            }
        }
    }
}
