import CSystem
import Glibc
import HostSystem
import ViperKit

/// The process between the host and a worker. It kills what the worker has started, also after the host was killed.
///
/// It is a subreaper: a descendant of the worker whose parent has ended becomes its child, in whatever session or process group that
/// runs. When the worker ends, or the host's end of the control socket is closed, it kills its children until none is left. It has only
/// one thread, and runs the host's program, in which it calls nothing else. A module that runs as the same user can kill it; the worker
/// then is killed by the system, and processes that the worker has started may stay.
package struct Supervisor {
    /// The first argument of a process that is to be a supervisor.
    package static let command = "supervise"

    private static let control = STDIN_FILENO

    private let worker: pid_t
    /// The wait status of the worker, if it has ended.
    private var status: Int32?

    /// Supervises the child process that ``begin(_:over:)`` names, and ends this process.
    package static func run() -> Never {
        // The mask of this process blocks every signal. A handler is needed, for an ignored signal interrupts nothing.
        signal(SIGCHLD) { _ in }
        var worker: pid_t = 0
        // The end of the input means that the host has ended.
        _ = read(control, &worker, MemoryLayout<pid_t>.size)
        var supervisor = Supervisor(worker: worker)
        supervisor.waitForEnd()
        supervisor.killChildren()
        if var status = supervisor.status { _ = write(control, &status, MemoryLayout<Int32>.size) }
        _exit(EXIT_SUCCESS)
    }

    /// Lets a supervisor begin. From now on it gives back the process IDs of processes that have ended.
    static func begin(_ worker: pid_t, over control: Descriptors) {
        // If it cannot be sent, the supervisor was killed, which its end of the socket tells.
        withUnsafeBytes(of: worker) { _ = control.write($0) }
    }

    /// Waits for the next number that a supervisor sends: the worker's process ID, or an error number below 0, and at the end the worker's
    /// wait status. Nil if the supervisor was killed before it could send it.
    static func number(from control: Descriptors) -> Int32? {
        guard case .bytes(let bytes) = SystemRead(of: control.reading), bytes.count == MemoryLayout<Int32>.size else {
            return nil
        }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    }

    private init(worker: pid_t) { self.worker = worker }

    /// Waits until the worker or the host has ended.
    private mutating func waitForEnd() {
        var others = sigset_t()
        sigfillset(&others)
        sigdelset(&others, SIGCHLD)
        var host = pollfd(fd: Self.control, events: Int16(POLLIN), revents: 0)
        repeat {
            while takeChild(WNOHANG) {}
            // Only here SIGCHLD is not blocked, so that none is missed.
        } while status == nil && ppoll(&host, 1, nil, &others) < 0
    }

    /// Kills children until none is left that this user may kill.
    private mutating func killChildren() {
        // A process with this signal pending starts no other. The children of one that was killed become this process's.
        while !Self.children.filter({ kill($0, SIGKILL) == 0 }).isEmpty {
            // One at a time: a process that traces another one, which then cannot be taken, may become a child only when its own
            // parent has ended.
            _ = takeChild(0)
            while takeChild(WNOHANG) {}
        }
    }

    /// Takes the wait status of a child that has ended.
    ///
    /// - Returns: Whether there was one.
    private mutating func takeChild(_ options: Int32) -> Bool {
        var status: Int32 = 0
        let child = waitpid(-1, &status, options)
        if child == worker { self.status = status }
        return child > 0
    }

    /// Children whose status was not taken, so that their process IDs belong to no other process. Not all of them if there are many,
    /// and none only if there is none or the system does not list them.
    private static var children: [pid_t] {
        let file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC)
        if file < 0 { return [] }
        defer { close(file) }
        // One read returns a page of whole numbers, each with a space behind it.
        guard case .bytes(let bytes) = SystemRead(of: file) else { return [] }
        return bytes.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
}
