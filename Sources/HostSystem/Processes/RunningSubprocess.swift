import CSystem
import Dispatch
import Glibc
import Synchronization
import ViperKit

/// A program that the host has started and whose result is still pending.
final class RunningSubprocess: Sendable {
    private struct State {
        var isOverdue = false
        /// True if the process was reaped. Its ID may then belong to another process.
        var isReaped = false
        /// The bytes captured from each output, keyed by the program's descriptor number.
        var outputs: [Int32: [UInt8]] = [:]
    }

    private let program: Subprocess
    private let process: pid_t
    private let limit: Int
    /// A pidfd, which becomes readable when the process exits.
    private let end: Descriptors
    /// The host's end of the program's standard input. It stays open until the program exits. Nil if standard input is
    /// not a pipe.
    private let input: Descriptors?
    private let outputs: [(number: Int32, pipe: Descriptors)]
    private let queue = DispatchQueue(label: "subprocess")
    private let state = Mutex(State())

    /// Creates a running subprocess by starting a program.
    ///
    /// - Throws: ``ViperError/Code/programFailed`` if the program cannot be started.
    init(_ program: Subprocess) throws(ViperError) {
        var numbers = program.isTiedToHost ? [STDIN_FILENO] : []
        var limit = 0
        var files = program.inheritsInput ? [(own: STDIN_FILENO, child: STDIN_FILENO)] : []
        switch program.output {
        case .inherited: break
        case .captured(let bytes):
            numbers += [STDOUT_FILENO, STDERR_FILENO]
            limit = bytes
        case .written(let file, let bytes):
            numbers += [STDERR_FILENO]
            files.append((file, STDOUT_FILENO))
            limit = bytes
        }
        let pipes = try SubprocessPipes(numbers)
        do {
            process = try ChildSpawn(
                program: program.program, arguments: program.arguments, environment: program.environment,
                workingFolder: program.workingFolder, leadsGroup: program.timeLimit != nil,
                descriptors: pipes.descriptors + files
            ).start()
        } catch {
            pipes.closeChildSides()
            pipes.closeOwnSides()
            throw error
        }
        pipes.closeChildSides()
        func own(_ number: Int32) -> Descriptors { Descriptors(reading: pipes.own(number), writing: pipes.own(number)) }
        (self.program, self.limit) = (program, limit)
        input = numbers.contains(STDIN_FILENO) ? own(STDIN_FILENO) : nil
        outputs = numbers.filter { $0 != STDIN_FILENO }.map { ($0, own($0)) }
        let handle = pidfd_of(process)
        let failure = errno
        end = Descriptors(reading: handle, writing: handle)
        if handle >= 0 { return }
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        throw ViperError(
            .programFailed, operation: "cannot run", subject: program.program, cause: systemReason(failure))
    }

    /// Waits until the program exits, and returns its result. Call this method only once.
    ///
    /// The result contains everything that the program wrote before it exited, up to the limit. This method does not
    /// wait for background processes that the program started.
    func result() async -> Subprocess.Result {
        let alarm = program.timeLimit.map { limit in Alarm(after: limit, on: queue) { self.killOverdue() } }
        let readers = outputs.map { number, pipe in
            let reader = Readiness(of: pipe, .reading, on: queue)
            reader.start { if self.read(number, pipe) == .end { reader.cancel() } }
            return reader
        }
        let ending = Readiness(of: end, .reading, on: queue)
        let result = await withCheckedContinuation { continuation in
            ending.start {
                ending.cancel()
                readers.forEach { $0.cancel() }
                continuation.resume(returning: self.finish())
            }
        }
        alarm?.cancel()
        withExtendedLifetime(input) {}
        return result
    }

    private enum Reading { case something, nothing, end }

    private func read(_ number: Int32, _ pipe: Descriptors) -> Reading {
        var outcome = Descriptors.Outcome.notNow
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
            outcome = pipe.read(into: UnsafeMutableRawBufferPointer(space))
            if case .done(let read) = outcome { count = read }
        }
        switch outcome {
        case .notNow: return .nothing
        case .failed, .done(0): return .end
        case .done:
            state.withLock { $0.outputs[number, default: []] += bytes.prefix(limit - ($0.outputs[number]?.count ?? 0)) }
            return .something
        }
    }

    private func killOverdue() {
        state.withLock { state in
            if state.isReaped { return }
            state.isOverdue = true
            kill(-process, SIGKILL)
        }
    }

    private func finish() -> Subprocess.Result {
        // Reads at most 1 MiB, which is the default maximum capacity of a pipe. Without a limit, the loop would not end
        // if a background process kept writing.
        for (number, pipe) in outputs {
            var reads = 0
            while reads < 16, read(number, pipe) == .something { reads += 1 }
        }
        return state.withLock { state in
            // The process is not reaped yet, so its ID is still valid. This call also kills background processes that
            // the program started.
            if program.timeLimit != nil { kill(-process, SIGKILL) }
            let status = takeStatus(ofEnded: process)
            state.isReaped = true
            // Decodes the bits of the wait status. Swift does not import the C macros for this.
            let ending: Subprocess.Ending = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
            return Subprocess.Result(
                ending: state.isOverdue ? .overdue : ending, output: state.outputs[STDOUT_FILENO] ?? [],
                errors: state.outputs[STDERR_FILENO] ?? [])
        }
    }
}
