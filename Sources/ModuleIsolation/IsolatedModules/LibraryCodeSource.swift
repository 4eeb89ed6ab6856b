import FoundationEssentials
package import HostSystem
import JSONRPC
package import ModuleCatalog
package import ModuleRuntime
import Synchronization
package import ViperKit

/// A source of module code that comes from libraries. A live host first checks each library in a worker. The source
/// then loads the library, or starts a worker that loads it.
package final class LibraryCodeSource: CodeSource {
    private let loader: Loader
    private let preparer: WorkerPreparer
    private let quarantine: Quarantine
    private let registry: RegistryReader
    /// True if this host must survive crashes in libraries. Each library is then checked in a worker before it is
    /// loaded.
    private let isLive: Bool
    /// A closure that is called when a library is quarantined because the module's worker crashed or exceeded a limit.
    /// A failed probe does not call the closure.
    private let refuseAfterCrash: @Sendable (ModuleRecord, Digest, ViperError) async -> Void
    // The checks that are still running or have passed, keyed by the library's digest. Nil if the host is ending.
    private let proofs = Mutex<[Digest: Proof]?>([:])

    /// A check of a library. Modules that share a library share its check, but a module whose manifest has changed is
    /// checked again.
    private struct Proof {
        let task: Task<Result<Void, ViperError>, Never>
        /// The manifests for which the check counts, keyed by manifest file.
        var manifests: [String: Manifest]
    }

    package init(
        loader: Loader, preparer: WorkerPreparer, quarantine: Quarantine, registry: RegistryReader, isLive: Bool,
        refuseAfterCrash: @escaping @Sendable (ModuleRecord, Digest, ViperError) async -> Void
    ) {
        (self.loader, self.preparer, self.quarantine, self.isLive) = (loader, preparer, quarantine, isLive)
        (self.registry, self.refuseAfterCrash) = (registry, refuseAfterCrash)
    }

    package func isIsolated(_ manifest: Manifest) -> Bool { preparer.isolates(manifest) }

    /// Returns a private copy of a module's library.
    ///
    /// - Throws: An error if the library cannot be used, for example because it is quarantined.
    package func copy(of record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> LibraryCopy? {
        let copy = try await loader.copy(
            LibraryChecks.Subject(
                manifest, isPacked: record.files.entry.isPacked, isAlone: isIsolated(manifest), contracts: []))
        let report = await BlockingWork.run { [quarantine] in quarantine.report(for: copy.digest) }
        if let report { throw quarantine.refusal(of: report) }
        return copy
    }

    package func newFiles(of record: ModuleRecord) async -> ModuleFiles? {
        // A live host follows its root.
        if isLive { return nil }
        return await BlockingWork.run { [loader] in
            guard let entry = loader.finder.root.entry(of: record.file) else { return nil }
            return ModuleFiles(entry)
        }
    }

    /// Returns the copy that a provider's current generation uses, or a new copy if there is no generation. The file on
    /// disk may already contain a version that was rejected.
    private func copyInUse(_ record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> LibraryCopy? {
        if let copy = record.generation?.code.copy { return copy }
        return try await copy(of: record, manifest)
    }

    /// Returns the code that creates a module.
    ///
    /// - Parameter copy: The copy of the module's library. It must not be nil.
    package func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode {
        guard let copy else { preconditionFailure("a module with a library has a copy of it") }
        if isIsolated(manifest) { return try await isolated(record, manifest, copy, snapshot) }
        try await prove(record, manifest, copy, in: snapshot)
        if manifest.kind == .contract {
            try await loader.load(contract: copy, of: manifest)
            record.history.load(image: copy.path)
            return ContractCode(copy)
        }
        let contracts = snapshot.contracts(of: manifest).compactMap(\.manifest)
        let code = try await localCode(
            try await loader.load(copy, of: manifest, with: contracts), of: manifest, in: record.file, from: copy)
        record.history.load(image: copy.path)
        return code
    }

    /// Checks in a worker that a module's code works. Does nothing if this host is not live, or if the module has no
    /// library copy.
    ///
    /// - Throws: The error that the module throws, ``ViperError/Code/libraryQuarantined`` if the worker crashed or
    ///   exceeded a limit, or ``ViperError/Code/workerKilled`` if the worker was killed from outside.
    package func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) {
        guard isLive, let copy else { return }
        let digest = copy.digest
        while true {
            let begun = proofs.withLock { all -> (task: Task<Result<Void, ViperError>, Never>, isOwn: Bool)? in
                guard let proofs = all else { return nil }
                if let proof = proofs[digest], proof.manifests[record.file].map({ $0 == manifest }) ?? true {
                    all?[digest]?.manifests[record.file] = manifest
                    return (proof.task, false)
                }
                let proof = Task { [self] () async -> Result<Void, ViperError> in
                    do throws(ViperError) {
                        try await probe(record, manifest, copy, snapshot)
                        return .success(())
                    } catch {
                        // A failed check is not kept, because the next check may pass.
                        self.proofs.withLock { $0?[digest] = nil }
                        return .failure(error)
                    }
                }
                all?[digest] = Proof(task: proof, manifests: [record.file: manifest])
                return (proof, true)
            }
            guard let (proof, isOwn) = begun else {
                throw ViperError(
                    .hostEnding, operation: "cannot try module", subject: record.name,
                    cause: "the host is shutting down")
            }
            let result = await proof.value
            // A library that failed with the manifest or the providers of another module may pass with this one.
            if case .failure = result, !isOwn {
                let report = await BlockingWork.run { [quarantine] in quarantine.report(for: digest) }
                if let report { throw quarantine.refusal(of: report) }
                continue
            }
            return try result.get()
        }
    }

    /// Abandons the running checks in workers, and refuses new ones.
    package func end() {
        let running = proofs.withLock { proofs in
            defer { proofs = nil }
            return proofs ?? [:]
        }
        for proof in running.values { proof.task.cancel() }
    }

    private func probe(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy, _ snapshot: RegistrySnapshot
    ) async throws(ViperError) {
        let prepared = try await preparer.prepare(
            record, manifest, copy, in: snapshot, provided: copyInUse, isProbe: true)
        let start = ContinuousClock.now
        let outcome = try await Trial.probe(
            manifest.name, in: prepared.root, program: preparer.program, environment: preparer.environment,
            registry: prepared.usesRegistry ? registry : nil, line: preparer.tell(manifest.name, isProbe: true))
        withExtendedLifetime(prepared) {}
        switch outcome {
        case .passed: tellTime(ContinuousClock.now - start, of: manifest.name)
        case .refused(let error): throw error
        case .died(_, let end) where !end.isFault: throw .workerEnded(manifest.name, end)
        case .died(let step, let end):
            let report = QuarantineReport(manifest, copy.digest, phase: step, end)
            await put(report)
            throw quarantine.refusal(of: report)
        }
    }

    /// Logs the time of a long trial, because the caller of a new module waits for the trial and for the module itself.
    private func tellTime(_ time: Duration, of module: String) {
        if time < .seconds(1) { return }
        let seconds = (time / .milliseconds(100)).rounded() / 10
        preparer.logger.log(.info, "trying module \(module) took \(seconds) s; creating it may take as long again")
    }

    private func isolated(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy, _ snapshot: RegistrySnapshot
    ) async throws(ViperError) -> IsolatedCode {
        let prepared = try await preparer.prepare(
            record, manifest, copy, in: snapshot, provided: copyInUse, isProbe: false)
        let digest = copy.digest
        return IsolatedCode(copy) { [self] () async throws(ViperError) in
            let worker = try await Worker.start(
                manifest.name, in: prepared.root, limits: preparer.limits, program: preparer.program,
                arguments: preparer.arguments, environment: preparer.environment,
                registry: prepared.usesRegistry ? registry : nil, line: preparer.tell(manifest.name))
            record.history.load(image: nil)
            switch await Trial.bringUp(worker) {
            case .passed: return worker
            case .refused(let error): throw error
            case .died(_, let end) where !end.isFault: throw .workerEnded(manifest.name, end)
            case .died(let step, let end):
                throw await refuseAfterCrash(record, QuarantineReport(manifest, digest, phase: step, end))
            }
        } giveUp: { [self] end, excess in
            await refuseAfterCrash(record, QuarantineReport(manifest, digest, phase: "call", end, after: excess))
        } ended: { [preparer, isLive] end in
            // The caller gets an error. This log line is for the operator of a serving host.
            preparer.logger.log(isLive ? .warning : .info, "worker of module \(manifest.name) \(end.summary)")
        }
    }

    /// Refuses a module, and then quarantines its library. In the opposite order, a live host would see the report,
    /// rescan, and stop the generation before the module is refused.
    private func refuseAfterCrash(_ record: ModuleRecord, _ report: QuarantineReport) async -> ViperError {
        let refusal = quarantine.refusal(of: report)
        await refuseAfterCrash(record, report.digest, refusal)
        await put(report)
        return refusal
    }

    private func put(_ report: QuarantineReport) async {
        await BlockingWork.run { [quarantine] in quarantine.put(report) }
    }
}
