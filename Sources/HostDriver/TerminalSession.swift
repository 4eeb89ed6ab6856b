import Foundation
import Glibc
import Synchronization

/// A program that runs in a pseudo-terminal. The pseudo-terminal is also the program's controlling terminal. The
/// program is killed when the session is deinitialized.
public final class TerminalSession: Sendable {
    private let terminal: Terminal
    private let process: pid_t
    private let unread = Mutex(Data())
    private let isReaped = Mutex(false)

    /// Creates a session by starting a program with a new terminal as its standard input, output and error.
    public init(_ child: ChildProcess) throws {
        (terminal, process) = try ChildProcess.spawning.withLock { _ in
            let terminal = try Terminal()
            return (terminal, try child.spawn(at: terminal))
        }
    }

    /// Starts the built host outside any root.
    public static func host(_ arguments: String...) throws -> TerminalSession {
        try TerminalSession(
            ChildProcess(Products.host, arguments, environment: ["TERM": "xterm", "NO_COLOR": "1"]))
    }

    deinit {
        reap(killing: true)
        terminal.closeOwnSide()
    }

    /// Types a string. `\n` ends a line, `\u{3}` is Ctrl-C, and `\u{4}` is Ctrl-D.
    public func type(_ text: String) throws { try terminal.type(text) }

    public func send(_ signal: Int32) { isReaped.withLock { if !$0 { kill(process, signal) } } }

    /// True if the terminal echoes its input. The value can still be read after the program has exited.
    public var isEchoing: Bool { terminal.isEchoing }

    /// Waits until the program shows a string. Returns the output since the last wait, up to and including the string.
    ///
    /// - Throws: ``ChildFailure`` with the actual output if the string does not appear in time.
    @discardableResult
    public func wait(for text: String) async throws -> String {
        try await onOwnThread { [self] in
            let deadline = ContinuousClock.now + Patience.limit
            while true {
                let found = unread.withLock { unread -> String? in
                    guard let range = unread.range(of: Data(text.utf8)) else { return nil }
                    defer { unread = Data(unread[range.upperBound...]) }
                    return Self.text(unread[..<range.upperBound])
                }
                if let found { return found }
                guard let more = terminal.read(until: deadline), !more.isEmpty else {
                    let shown = unread.withLock { Self.text($0) }
                    throw ChildFailure("\"\(text)\" was never shown; the output is:\n\(shown)")
                }
                unread.withLock { $0 += more }
            }
        }
    }

    /// Waits until the program exits. Returns its exit status and the output since the last wait.
    ///
    /// - Throws: ``ChildFailure`` if the program does not exit in time.
    public func end() async throws -> (ending: ChildResult.Ending, shown: String) {
        try await onOwnThread { [self] in
            let deadline = ContinuousClock.now + Patience.limit
            while let more = terminal.read(until: deadline), !more.isEmpty { unread.withLock { $0 += more } }
            let isOver = ContinuousClock.now >= deadline
            let status = reap(killing: isOver)
            let shown = unread.withLock { Self.text($0) }
            if isOver { throw ChildFailure("the program did not exit; its output is:\n\(shown)") }
            return (status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F), shown)
        }
    }

    /// Waits for the process to exit and returns its status. If the process has already been reaped, returns 0.
    ///
    /// - Parameter killing: True to kill the process first.
    @discardableResult
    private func reap(killing: Bool) -> Int32 {
        isReaped.withLock { isReaped in
            if isReaped { return 0 }
            if killing { kill(process, SIGKILL) }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            isReaped = true
            return status
        }
    }

    private static func text(_ data: Data) -> String {
        String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
