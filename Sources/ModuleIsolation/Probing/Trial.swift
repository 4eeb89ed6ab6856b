package import HostSystem
package import ModuleCatalog
import ModuleRuntime
package import ViperKit

/// A trial of a library in a temporary worker, which may crash or hang.
///
/// A live host tries a library before it loads it, and `host build` before it installs it. `host test` runs each check
/// in a trial.
package enum Trial {
    package enum Outcome<Value: Sendable>: Sendable {
        case passed(Value)
        /// The module threw an error or does not match its manifest. The process did not crash.
        case refused(ViperError)
        /// The process crashed, exited early or was killed, after it had begun this step.
        case died(step: String, WorkerProcess.End)
    }

    /// Loads, creates, checks and stops a module in a temporary worker.
    ///
    /// - Parameters:
    ///   - program: The host program to run.
    ///   - supervisor: The supervisor's program. Defaults to `program`.
    ///   - environment: The environment variables that the worker inherits.
    ///   - registry: The registry that the worker may read. Nil if its modules do not require `registry`.
    ///   - line: A closure that receives each line of the worker's standard error.
    /// - Throws: An error if the worker cannot start. In this case, the module's code has not run.
    static func probe(
        _ module: String, in root: WorkerRoot, limits: WorkerLimits = .probe, program: String = "/proc/self/exe",
        supervisor: String? = nil, arguments: [String] = [], environment: WorkerEnvironment = WorkerEnvironment(),
        registry: RegistryReader? = nil, line: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> Outcome<Void> {
        let worker = try await Worker.start(
            module, in: root, limits: limits, program: program, supervisor: supervisor, arguments: arguments,
            environment: environment, registry: registry, line: line)
        return await stop(worker, after: await bringUp(worker))
    }

    /// Loads a library in a temporary worker and compares its argument types with the manifest.
    ///
    /// - Parameters:
    ///   - library: The library's absolute path.
    ///   - contracts: The contracts that the module uses, with the paths of their libraries.
    ///   - folder: The folder in which to create the worker's files.
    ///   - environment: The environment variables that the worker inherits.
    /// - Throws: ``ViperError/Code/libraryFailed`` with the linker's message, ``ViperError/Code/moduleFailed`` if an
    ///   argument type differs from the manifest, ``ViperError/Code/workerCrashed`` if the worker crashed,
    ///   ``ViperError/Code/workerKilled`` if it was killed from outside, or ``ViperError/Code/programFailed`` if it
    ///   cannot start.
    package static func load(
        _ library: String, _ manifest: Manifest, with contracts: [(manifest: Manifest, library: String)] = [],
        in folder: PrivateFolder, environment: WorkerEnvironment
    ) async throws(ViperError) {
        // Loading does not need services, configuration or resources, and they may be missing here.
        var manifest = manifest
        (manifest.requires, manifest.optional, manifest.config, manifest.resources) = ([], [], [], nil)
        let parts =
            [WorkerRoot.Part(manifest: manifest, library: library)]
            + contracts.map { WorkerRoot.Part(manifest: $0.manifest, library: $0.library) }
        let root = try await BlockingWork.run { () throws(ViperError) in
            try WorkerRoot(parts, settings: Settings(), hasOwnState: true, in: folder, trust: folder.trust)
        }
        let worker = try await Worker.start(manifest.name, in: root, limits: .probe, environment: environment) { _ in }
        switch await stop(worker, after: await bringUp(worker, through: [.load, .arguments])) {
        case .passed: return
        case .refused(var error):
            if error.code == .libraryFailed { error.fix = error.fix ?? fix(error.cause) }
            throw error
        case .died(_, let end): throw .workerEnded(manifest.name, end)
        }
    }

    /// Runs another command of this program as a temporary worker, and calls its method `check` once.
    ///
    /// A message from the worker that answers no call ends the worker, because the module must not write to the
    /// connection. A module can still forge the answer, because it can read and change all memory of its process.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command. It must answer `ping` and `check` on its standard input and output.
    ///   - call: The parameters of `check`.
    ///   - limit: The time limit for the answer.
    ///   - folder: The folder for the worker's temporary files.
    ///   - environment: The environment variables that the worker inherits.
    ///   - line: A closure that receives each line of the worker's standard error.
    /// - Throws: ``ViperError/Code/programFailed`` if the worker cannot start.
    package static func check<Value: Decodable & Sendable>(
        _ module: String, _ arguments: [String], _ call: some Encodable & Sendable, as type: Value.Type,
        within limit: Duration, temporaryFolder folder: String, environment: WorkerEnvironment,
        line: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> Outcome<Value> {
        var limits = WorkerLimits()
        // Memory is practically unlimited, because the time limit also ends a check that uses too much of it.
        (limits.memory, limits.call) = (.max / 2, limit)
        limits.start = max(limits.start, limit)
        let worker = try await Worker.start(
            module, "/proc/self/exe", arguments, environment: environment, temporaryFolder: folder, limits: limits,
            isStrict: true, line: line)
        let outcome = await ask(worker) { worker throws(ViperError) in try await worker.check(call, as: type) }
        return await stop(worker, after: outcome)
    }

    /// Takes a worker's module through phases. Stops the worker unless the module passes.
    static func bringUp(
        _ worker: Worker, through phases: [WorkerPhase] = [.load, .make, .health]
    ) async -> Outcome<Void> {
        await ask(worker) { worker throws(ViperError) in for phase in phases { try await worker.check(phase) } }
    }

    /// Asks a worker, and stops the worker unless it answers.
    private static func ask<Value>(
        _ worker: Worker, _ question: (Worker) async throws(ViperError) -> Value
    ) async -> Outcome<Value> {
        do throws(ViperError) { return .passed(try await question(worker)) } catch {
            let hasEnded = worker.hasEnded
            // Nothing waits for the outcome of an abandoned trial.
            let end = Task.isCancelled ? await worker.kill() : await worker.stop()
            // A module may throw an error with the same code.
            if hasEnded, [.workerCrashed, .workerKilled].contains(error.code) {
                return .died(step: worker.step, end)
            }
            var refusal = error
            // The worker already has every provider, so no other module can meet the requirement.
            if refusal.code == .requirementUnmet { refusal.code = .moduleFailed }
            return .refused(refusal)
        }
    }

    /// Stops a worker that has passed. The outcome also depends on how the worker stops.
    private static func stop<Value>(_ worker: Worker, after outcome: Outcome<Value>) async -> Outcome<Value> {
        guard case .passed = outcome else { return outcome }
        worker.step = WorkerPhase.stop.rawValue
        let end = await worker.stop()
        switch end.ending {
        // Any exit code passes, because the worker's host chooses the code. A module that stops slowly also passes.
        case .code, .killedByHost: return outcome
        default: return .died(step: worker.step, end)
        }
    }

    /// Returns a fix for an error of glibc's dynamic linker, addressed to the module's author. Returns nil if the error
    /// is unknown.
    private static func fix(_ cause: String) -> String? {
        if cause.contains("undefined symbol") {
            return "add the source file that defines the symbol, or link the library that does"
        }
        if cause.contains("cannot open shared object file") { return "install the library, or do not link it" }
        return nil
    }
}
