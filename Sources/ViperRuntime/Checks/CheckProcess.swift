import Dispatch
import Glibc
import HostSystem
import JSONRPC
import ModuleIsolation
import Synchronization
package import ViperKit

/// A connection to a check process. This class asks questions and returns the answers. It also detects faults that fail
/// the check regardless of the answers.
///
/// An answer counts only if its ID matches an open question. The IDs are random, so that a module cannot write an
/// answer in advance. A message that does not answer a question ends the check.
package final class CheckProcess: Sendable {
    package struct End: Sendable {
        /// The reason that the module fails regardless of its answers. Nil if the process answered all questions and
        /// then exited with code 0.
        package var fault: String?
        /// The beginning of the process's standard error.
        package var errors: String
    }

    private struct State {
        var step: String?
        var breach: String?
    }

    /// The beginning of standard error, which usually shows the first problem.
    private final class Errors: Sendable {
        static let limit = 1 << 12
        private let kept = Mutex("")
        var text: String { kept.withLock { $0 } }
        func add(_ line: String) {
            kept.withLock { kept in
                let room = Self.limit - kept.utf8.count
                if room > 0 { kept += String(decoding: "\(line)\n".utf8.prefix(room), as: UTF8.self) }
            }
        }
    }

    /// The maximum time that a process may take to exit after it has closed its connection.
    private static let timeout = Duration.seconds(2)

    private let process: WorkerProcess
    private let peer: Peer
    private let errors: Errors
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "check")
    private let alarm: Alarm

    /// Creates a connection by starting a check process.
    ///
    /// - Parameter timeLimit: The time limit for the whole check.
    /// - Throws: ``ViperError/Code/programFailed`` if the process cannot be started.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], timeLimit: Duration
    ) throws(ViperError) {
        let errors = Errors()
        // Memory is practically unlimited, because the time limit also ends a check that uses too much of it.
        var limits = WorkerLimits()
        limits.memory = .max / 2
        let process = try WorkerProcess(program, arguments, environment: environment, limits: limits) {
            errors.add($0)
        }
        let ofMessages = Limits.ofCheck
        let connection = LineConnection(reading: process.socket, writing: process.socket, limits: ofMessages)
        (self.process, self.errors, peer) = (process, errors, Peer(connection, limits: ofMessages))
        alarm = Alarm(after: timeLimit, on: queue) { process.kill(because: .overdue(timeLimit)) }
        peer.start { [self] method, _ throws(ViperError) in
            end(becauseOf: "it called \(method)")
            throw .methodUnknown(method, known: [])
        } end: { _ in
        } stray: { [self] in
            end(becauseOf: $0)
        }
        Task { [process, peer] in
            _ = await process.end()
            // End the connection now, because a descendant of the process may still hold it open.
            peer.abandon()
        }
    }

    /// Records the step that starts now. If the process ends during the step, the fault names the step.
    func announce(_ step: String) { state.withLock { $0.step = step } }

    /// Asks the process a question, and returns the answer.
    ///
    /// - Throws: The error that the process returns, or ``ViperError/Code/connectionLost`` if the connection ends
    ///   before the answer arrives.
    func ask<Value: Decodable & Sendable>(_ question: CheckQuestion, as type: Value.Type) async throws(ViperError)
        -> Value
    {
        try await peer.call("ask", AskCall(question: question), as: type)
    }

    func ask(_ question: CheckQuestion) async throws(ViperError) { _ = try await ask(question, as: EmptyPayload.self) }

    /// Closes the connection after the last question, and waits for the process to exit.
    package func finish() async -> End {
        let isLost = peer.isOver
        peer.close()
        // If the connection is lost, the process should exit soon. Kill it if it has only closed the connection.
        let closing =
            isLost ? Alarm(after: Self.timeout, on: queue) { self.process.kill(because: .disconnected) } : nil
        let ending = await process.end().ending
        closing?.cancel()
        alarm.cancel()
        let state = state.withLock { $0 }
        guard let fault = Self.fault(ending, isLost: isLost, state.breach) else { return End(errors: errors.text) }
        let step = state.step.map { "; last step: \($0.prefix(200))" }
        return End(fault: fault + (step ?? ""), errors: errors.text)
    }

    private static func fault(_ ending: WorkerEnding, isLost: Bool, _ breach: String?) -> String? {
        if let breach {
            return "the process sent a message that answers no question (\(breach)): "
                + "a module must write only to descriptors that it opened"
        }
        switch ending {
        case .code(0) where !isLost: return nil
        case .code(let code): return "the process exited with code \(code)"
        case .overdue(let limit): return "the check took longer than \(limit / .seconds(1)) s"
        case .signal, .overMemory, .disconnected, .killedByHost: return "the process \(ending.description)"
        }
    }

    private func end(becauseOf breach: String) {
        state.withLock { $0.breach = $0.breach ?? breach }
        process.kill()
    }
}
