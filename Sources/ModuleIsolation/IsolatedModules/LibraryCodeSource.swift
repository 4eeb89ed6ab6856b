import FoundationEssentials
package import HostSystem
package import ModuleCatalog
package import ModuleRuntime
import Synchronization
package import ViperKit

/// Finds a module's code, has it proved where it is unknown, and loads it or starts a worker for it.
package final class LibraryCodeSource: CodeSource {
    private let loader: Loader
    private let workshop: Workshop
    private let quarantine: Quarantine
    /// Whether libraries are proved before they are loaded: the host shall outlive them.
    private let isLive: Bool
    /// Hears of a module that has crashed so often that it is not run any more.
    private let condemn: @Sendable (ModuleRecord, Digest, ViperError) async -> Void
    // What was proved once for this process is known.
    private let proofs = Mutex<[Digest: Proof]>([:])

    private struct Proof {
        /// What of the library it is about.
        var manifest: Manifest
        var result: Task<Result<Void, ViperError>, Never>
    }

    package init(
        loader: Loader, workshop: Workshop, quarantine: Quarantine, isLive: Bool,
        condemn: @escaping @Sendable (ModuleRecord, Digest, ViperError) async -> Void
    ) {
        (self.loader, self.workshop, self.quarantine, self.isLive) = (loader, workshop, quarantine, isLive)
        self.condemn = condemn
    }

    /// Whether a module runs in a process of its own.
    package func isIsolated(_ manifest: Manifest) -> Bool { workshop.isolates(manifest) }

    /// A private copy of a module's library.
    ///
    /// - Throws: Also when the library is quarantined.
    package func copy(_ manifest: Manifest) async throws(ViperError) -> LibraryCopy? {
        let copy = try await loader.copy(manifest)
        let report = await BlockingWork.run { [quarantine] in quarantine.report(for: copy.digest) }
        if let report { throw quarantine.refusal(of: report) }
        return copy
    }

    /// A copy of what provides for others: of the library that is in use, if it is. What lies in its place now may not have been taken.
    private func copyInUse(_ record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> LibraryCopy? {
        if let copy = record.generation?.code.copy { return copy }
        return try await copy(manifest)
    }

    /// The code of a module, ready to be made.
    ///
    /// - Parameter copy: Of its library.
    package func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode {
        guard let copy else { preconditionFailure("a module with a library has a copy of it") }
        if isIsolated(manifest) { return try await isolated(record, manifest, copy, snapshot) }
        try await prove(record, manifest, copy, in: snapshot)
        let code = try LocalCode(try await loader.load(copy), of: manifest, in: record.file, from: copy)
        record.history.load(image: copy.path)
        return code
    }

    /// Finds out whether a module's code works, without loading it here.
    ///
    /// - Throws: What it threw; or that it did harm, and is quarantined.
    package func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) {
        guard isLive, let copy else { return }
        let digest = copy.digest
        let proof = proofs.withLock { proofs in
            if let proof = proofs[digest], proof.manifest == manifest { return proof.result }
            let result = Task { () async -> Result<Void, ViperError> in
                do throws(ViperError) {
                    try await probe(record, manifest, copy, snapshot)
                    return .success(())
                } catch { return .failure(error) }
            }
            proofs[digest] = Proof(manifest: manifest, result: result)
            return result
        }
        let result = await proof.value
        // What was refused may be right another time.
        if case .failure = result { proofs.withLock { $0[digest] = nil } }
        try result.get()
    }

    private func probe(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy, _ snapshot: RegistrySnapshot
    ) async throws(ViperError) {
        let bench = try await workshop.bench(record, manifest, copy, in: snapshot, provided: copyInUse, isProbe: true)
        let outcome = try await Probe.run(
            manifest.name, in: bench.root, program: workshop.program, environment: workshop.environment,
            line: workshop.tell(manifest.name, isProbe: true))
        withExtendedLifetime(bench) {}
        switch outcome {
        case .passed: return
        case .refused(let error): throw error
        case .died(let phase, let end): throw await quarantine(manifest, copy.digest, phase.rawValue, end)
        }
    }

    private func isolated(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy, _ snapshot: RegistrySnapshot
    ) async throws(ViperError) -> IsolatedCode {
        let bench = try await workshop.bench(record, manifest, copy, in: snapshot, provided: copyInUse, isProbe: false)
        let digest = copy.digest
        return IsolatedCode(copy) { [self] () async throws(ViperError) in
            let worker = try await Worker.start(
                manifest.name, in: bench.root, limits: workshop.limits, program: workshop.program,
                environment: workshop.environment, line: workshop.tell(manifest.name))
            record.history.load(image: nil)
            switch await Probe.bringUp(worker) {
            case .passed: return worker
            case .refused(let error): throw error
            case .died(let phase, let end):
                let error = await quarantine(manifest, digest, phase.rawValue, end)
                await condemn(record, digest, error)
                throw error
            }
        } giveUp: { [self] end, excess in
            let report = QuarantineReport(manifest, digest, phase: "call", end, after: excess)
            // Before the report is written, at which the root is looked at: then what answers no more is ended.
            let refusal = quarantine.refusal(of: report)
            await condemn(record, digest, refusal)
            await put(report)
            return refusal
        } crashed: { [workshop] end in
            // The call that was inside is told it as an error; this is for whoever runs the host.
            workshop.logger.log(.info, "the worker of \(manifest.name) \(end.summary)")
        }
    }

    private func quarantine(
        _ manifest: Manifest, _ digest: Digest, _ phase: String, _ end: WorkerProcess.End
    ) async -> ViperError {
        let report = QuarantineReport(manifest, digest, phase: phase, end)
        await put(report)
        return quarantine.refusal(of: report)
    }

    private func put(_ report: QuarantineReport) async {
        await BlockingWork.run { [quarantine] in quarantine.put(report) }
    }
}
