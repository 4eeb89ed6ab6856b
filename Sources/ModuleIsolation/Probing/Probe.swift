import HostSystem
import ModuleRuntime
import ViperKit

/// Runs a library that nobody has run before in a worker first, and throws the worker away.
package enum Probe {
    /// What came of it.
    enum Outcome: Sendable {
        case passed
        /// The module threw, or is not what its manifest says. It has done no harm.
        case refused(ViperError)
        /// It took the process with it, or had to be ended.
        case died(WorkerPhase, WorkerProcess.End)
    }

    /// Loads, makes and checks a module in a worker of its own.
    ///
    /// - Parameters:
    ///   - program: The host that the worker runs.
    ///   - supervisor: The program of its supervisor; else it is `program`.
    ///   - environment: The variables that it inherits.
    ///   - line: Hears each line that the worker writes to standard error.
    /// - Throws: Why there is no worker; that is not the module's fault, whose code has not run.
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
        // A host says with its exit code how it ended; one that is slow to stop is no danger.
        switch end.ending {
        case .code, .killedByHost: return .passed
        default: return .died(.stop, end)
        }
    }

    /// Loads, makes and checks a worker's module. Unless all of it passes, the worker has ended.
    static func bringUp(_ worker: Worker) async -> Outcome {
        for phase in [WorkerPhase.load, .make, .health] {
            do { try await worker.check(phase) } catch {
                let end = await worker.stop()
                if error.code == .workerCrashed { return .died(phase, end) }
                var refusal = error
                // Here all have what they require: what a provider lacks in the worker no other module brings.
                if refusal.code == .requirementUnmet { refusal.code = .moduleFailed }
                return .refused(refusal)
            }
        }
        return .passed
    }
}
