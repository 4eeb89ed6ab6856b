import ModuleRuntime
import ViperKit

/// A trial run of a new library in a temporary worker, before the host uses the library.
package enum Probe {
    enum Outcome: Sendable {
        case passed
        /// The module threw an error or does not match its manifest. The process did not crash.
        case refused(ViperError)
        /// The process crashed or was killed.
        case died(WorkerPhase, WorkerProcess.End)
    }

    /// Loads, creates, checks and stops a module in a temporary worker.
    ///
    /// - Parameters:
    ///   - program: The host program to run.
    ///   - supervisor: The supervisor's program. Defaults to `program`.
    ///   - environment: The environment variables that the worker inherits.
    ///   - line: A closure that receives each line of the worker's standard error.
    /// - Throws: An error if the worker cannot start. In this case, the module's code has not run.
    static func run(
        _ module: String, in root: WorkerRoot, limits: WorkerLimits = .probe, program: String = "/proc/self/exe",
        supervisor: String? = nil, arguments: [String] = [], environment: WorkerEnvironment = WorkerEnvironment(),
        line: @escaping @Sendable (String) -> Void
    ) async throws(ViperError) -> Outcome {
        let worker = try await Worker.start(
            module, in: root, limits: limits, program: program, supervisor: supervisor, arguments: arguments,
            environment: environment, line: line)
        let outcome = await bringUp(worker)
        guard case .passed = outcome else { return outcome }
        let end = await worker.stop()
        // Any exit code passes, because the worker's host chooses the code. A module that stops slowly also passes.
        switch end.ending {
        case .code, .killedByHost: return .passed
        default: return .died(.stop, end)
        }
    }

    /// Loads, creates and checks a worker's module. Stops the worker unless the module passes.
    static func bringUp(_ worker: Worker) async -> Outcome {
        for phase in [WorkerPhase.load, .make, .health] {
            do { try await worker.check(phase) } catch {
                let end = await worker.stop()
                if error.code == .workerCrashed { return .died(phase, end) }
                var refusal = error
                // The worker already has every provider, so no other module can meet the requirement.
                if refusal.code == .requirementUnmet { refusal.code = .moduleFailed }
                return .refused(refusal)
            }
        }
        return .passed
    }
}
