import CSystem
import Glibc
import HostSystem
import ViperKit

/// A process between the host and a worker. It kills all processes that the worker has started, even if the host is
/// killed.
///
/// The supervisor is a subreaper: orphaned descendants of the worker become its children, in any session or process
/// group. When the worker exits or the host closes the control socket, the supervisor kills its children until none are
/// left.
///
/// The supervisor has a single thread, and runs the same executable as the host. A module that runs as the same user
/// can kill the supervisor. In this case, the system kills the worker, but processes that the worker has started may
/// survive.
package struct Supervisor {
    package static let command = "supervise"

    private static let control = STDIN_FILENO

    private let worker: pid_t
    /// The worker's wait status. Nil while the worker is running.
    private var status: Int32?

    /// Supervises the worker that the host passes to ``begin(_:over:)``, then exits.
    package static func run() -> Never {
        // The signal mask blocks all signals. The handler is needed because an ignored signal does not interrupt
        // `ppoll`.
        signal(SIGCHLD) { _ in }
        var worker: pid_t = 0
        // End of input means that the host has exited.
        _ = read(control, &worker, MemoryLayout<pid_t>.size)
        var supervisor = Supervisor(worker: worker)
        supervisor.waitForEnd()
        supervisor.report()
        supervisor.killChildren()
        supervisor.report()
        _exit(EXIT_SUCCESS)
    }

    /// Starts the supervision of a worker. From now on, the supervisor reaps its own child processes, so the kernel may
    /// reuse their process IDs.
    static func begin(_ worker: pid_t, over control: Descriptors) {
        // A failure means that the supervisor was killed. The host notices this when it reads from the socket.
        withUnsafeBytes(of: worker) { _ = control.write($0) }
    }

    /// Waits for the next number from a supervisor, which sends three numbers.
    ///
    /// - Returns: The first number is the worker's process ID, or a negative error number. The second number is the
    ///   worker's wait status. The third number is the same, and means that no descendants are left. Nil if the
    ///   supervisor was killed.
    static func number(from control: Descriptors) -> Int32? {
        let size = MemoryLayout<Int32>.size
        guard case .bytes(let bytes) = SystemRead(of: control.reading, limit: size), bytes.count == size else {
            return nil
        }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    }

    private init(worker: pid_t) { self.worker = worker }

    /// Sends the worker's wait status to the host, unless the worker is running.
    private func report() {
        if var status { _ = write(Self.control, &status, MemoryLayout<Int32>.size) }
    }

    private mutating func waitForEnd() {
        var others = sigset_t()
        sigfillset(&others)
        sigdelset(&others, SIGCHLD)
        var host = pollfd(fd: Self.control, events: Int16(POLLIN), revents: 0)
        repeat {
            while takeChild(WNOHANG) {}
            // SIGCHLD is unblocked only during this call, so no exit is missed.
        } while status == nil && ppoll(&host, 1, nil, &others) < 0
    }

    /// Kills children until no children remain that this user is allowed to kill.
    private mutating func killChildren() {
        // A process with a pending SIGKILL cannot fork. Children of a killed process become children of this process.
        while !Self.children.filter({ kill($0, SIGKILL) == 0 }).isEmpty {
            // Wait for one child only, then list and kill the children again. A traced process cannot be reaped, and
            // its tracer may become a child only after the tracer's own parent has exited.
            _ = takeChild(0)
            while takeChild(WNOHANG) {}
        }
    }

    private mutating func takeChild(_ options: Int32) -> Bool {
        var status: Int32 = 0
        let child = waitpid(-1, &status, options)
        if child == worker { self.status = status }
        return child > 0
    }

    /// The process IDs of the supervisor's children. The IDs cannot be reused, because the children have not been
    /// reaped. If there are many children, the list may be incomplete. It is empty only if there are no children, or if
    /// the system does not list them.
    private static var children: [pid_t] {
        let file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC)
        if file < 0 { return [] }
        defer { close(file) }
        // One read returns a page of decimal numbers, each followed by a space.
        guard case .bytes(let bytes) = SystemRead(of: file) else { return [] }
        return bytes.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
}
