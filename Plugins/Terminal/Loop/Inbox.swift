import Glibc
import Synchronization
import ViperKit

/// The messages for the thread that draws. A message wakes the thread, which waits for the terminal and for a pipe.
final class Inbox: Sendable {
    enum Message: Sendable {
        case state(WindowState)
        case notice(TerminalNotice)
        /// An effect has ended.
        case done(Effect, ViperError?)
        /// The user's editor has ended, with the text that it has stored.
        case edited(field: String, Result<String, ViperError>)
        /// The session has to end.
        case end
    }

    private let messages = Mutex<[Message]>([])
    private let reading: Int32
    private let writing: Int32

    init() throws(ViperError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ViperError(
                .resourceMissing, operation: "cannot use", subject: "the terminal",
                cause: String(cString: strerror(errno)))
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func post(_ message: Message) {
        messages.withLock { messages in
            // Of consecutive states, only the last is worth drawing.
            if case .state = message, case .state? = messages.last { messages.removeLast() }
            messages.append(message)
        }
        var byte: UInt8 = 0
        // If the pipe is full, the thread is woken in any case.
        write(writing, &byte, 1)
    }

    /// Returns the messages since the last call.
    func take() -> [Message] {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(reading, &bytes, bytes.count) > 0 {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// Waits for a message, for input, or for the end of a time.
    ///
    /// - Parameters:
    ///   - input: The descriptor of the input. Negative to ignore it.
    ///   - milliseconds: The maximum time, or -1 for no limit.
    /// - Returns: True if input waits, or if the input has ended.
    func wait(input: Int32, milliseconds: Int32) -> Bool {
        var wanted = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&wanted, 2, milliseconds) > 0 && wanted[1].revents != 0
    }
}
