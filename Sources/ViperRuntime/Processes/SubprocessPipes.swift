import CSystem
import Glibc
import ViperKit

/// The pipes between the host and a program that it runs.
struct SubprocessPipes {
    private struct Pipe {
        var own: Int32
        var child: Int32
        /// Which descriptor of the child it becomes.
        var number: Int32
    }

    private var all: [Pipe] = []

    /// - Parameter numbers: Which of the child's standard descriptors become a pipe.
    init(_ numbers: [Int32]) throws(ViperError) {
        for number in numbers { try add(number) }
    }

    /// The host's end of a pipe; -1 where there is none.
    func own(_ number: Int32) -> Int32 { all.first { $0.number == number }?.own ?? -1 }

    private mutating func add(_ number: Int32) throws(ViperError) {
        var ends: [Int32] = [-1, -1]
        // Closed on exec: no other child that is spawned meanwhile keeps them open.
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            let cause = String(cString: strerror(errno))
            closeChildSides()
            closeOwnSides()
            throw ViperError(.programFailed, "cannot run", "a program", cause: cause)
        }
        let isInput = number == STDIN_FILENO
        all.append(Pipe(own: ends[isInput ? 1 : 0], child: ends[isInput ? 0 : 1], number: number))
    }

    /// What a child begins with as its standard descriptors.
    var descriptors: [(own: Int32, child: Int32)] { all.map { ($0.child, $0.number) } }

    /// Closes the child's sides here, so that the end of its output can be seen.
    func closeChildSides() { all.forEach { close($0.child) } }

    func closeOwnSides() { all.forEach { close($0.own) } }

    /// Reads both outputs until nobody can write to them any more, or the program has ended and left behind somebody who still
    /// can and does not.
    ///
    /// - Parameter limit: How many bytes of each are kept.
    func readToEnd(of process: pid_t, limit: Int) -> (output: [UInt8], errors: [UInt8]) {
        let pipes = all.filter { $0.number != STDIN_FILENO }
        var contents = pipes.map { _ in [UInt8]() }
        var wanted = pipes.map { pollfd(fd: $0.own, events: Int16(POLLIN), revents: 0) }
        while wanted.contains(where: { $0.fd >= 0 }) {
            // Asked before looking: what it has written until its end is there then.
            let isOver = Self.hasEnded(process)
            let ready = poll(&wanted, nfds_t(wanted.count), isOver ? 0 : 50)
            if ready < 0, errno != EINTR { break }
            if ready == 0, isOver { break }
            for index in wanted.indices where wanted[index].fd >= 0 && wanted[index].revents != 0 {
                if case .bytes(let bytes) = SystemRead(of: wanted[index].fd) {
                    contents[index] += bytes.prefix(limit - contents[index].count)
                } else {
                    // poll passes over a negative number.
                    wanted[index].fd = -1
                }
            }
        }
        return contents.isEmpty ? ([], []) : (contents[0], contents[1])
    }

    /// Whether a child has ended. Its number is not taken away.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG) == 0 && information.si_signo != 0
    }
}
