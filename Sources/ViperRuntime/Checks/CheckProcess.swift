import Dispatch
import Glibc
import HostSystem
import JSONRPC
import ModuleIsolation
import Synchronization
package import ViperKit

/// The process in which a module is checked, seen from the one that asks and judges.
///
/// An answer counts only if it has the number of a question that is open. The numbers are random, so that nothing that the module
/// writes before the question can be one. A message that answers no question ends the check.
package final class CheckProcess: Sendable {
    /// The end of the process.
    package struct End: Sendable {
        /// Why the process does not pass, whatever it has answered. Nil if it has answered all and then ended by itself.
        package var fault: String?
        /// The beginning of what it wrote to standard error.
        package var errors: String
    }

    private struct State {
        /// The last step that was asked for.
        var step: String?
        /// The message of the process that answers no question.
        var breach: String?
    }

    /// The beginning of what a process writes, which says best what went wrong.
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

    /// How long a process that has closed its connection may take to end.
    private static let patience = Duration.seconds(2)

    private let process: WorkerProcess
    private let peer: Peer
    private let errors: Errors
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "check")
    private let alarm: Alarm

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - timeLimit: How long the whole check may take.
    /// - Throws: ``ViperError/Code/programFailed``.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], timeLimit: Duration
    ) throws(ViperError) {
        let errors = Errors()
        // The time limit ends a check that takes all memory there is; a person who runs it decides on the rest.
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
            // A process that it has left behind may hold the connection open.
            peer.abandon()
        }
    }

    /// Notes what is about to be asked for, for whoever finds the process ended.
    func announce(_ step: String) { state.withLock { $0.step = step } }

    /// Asks a question.
    ///
    /// - Throws: The error that it is answered with, or ``ViperError/Code/connectionLost`` if no answer can come.
    func ask<Value: Decodable & Sendable>(_ question: CheckQuestion, as type: Value.Type) async throws(ViperError)
        -> Value
    {
        try await peer.call("ask", AskCall(question: question), as: type)
    }

    /// Asks for something to be done.
    ///
    /// - Throws: As ``ask(_:as:)``.
    func ask(_ question: CheckQuestion) async throws(ViperError) { _ = try await ask(question, as: Nothing.self) }

    /// Says that the last question was asked, and waits for the end of the process.
    package func finish() async -> End {
        let isLost = peer.isOver
        peer.close()
        // Its end is at hand, unless it has only closed the connection.
        let closing =
            isLost ? Alarm(after: Self.patience, on: queue) { self.process.kill(because: .disconnected) } : nil
        let ending = await process.end().ending
        closing?.cancel()
        alarm.cancel()
        let state = state.withLock { $0 }
        guard let fault = Self.fault(ending, isLost: isLost, state.breach) else { return End(errors: errors.text) }
        let step = state.step.map { "; the last thing that was done: \($0.prefix(200))" }
        return End(fault: fault + (step ?? ""), errors: errors.text)
    }

    private static func fault(_ ending: WorkerEnding, isLost: Bool, _ breach: String?) -> String? {
        if let breach {
            return
                "the process sent a message that answers no question (\(breach)): a module writes only to descriptors that it opened"
        }
        switch ending {
        case .code(0) where !isLost: return nil
        case .code(let code): return "the process ended by itself with \(code)"
        case .overdue(let limit): return "it took longer than \(limit / .seconds(1)) s"
        case .signal, .overMemory, .disconnected, .killedByHost: return "the process \(ending.description)"
        }
    }

    private func end(becauseOf breach: String) {
        state.withLock { $0.breach = $0.breach ?? breach }
        process.kill()
    }
}
