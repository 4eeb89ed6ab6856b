import Glibc
import HostDriver
import Synchronization

/// A child process that runs this package's echo server. It exits when its standard input ends.
final class EchoServer: Sendable {
    let socket: String
    private let input: Int32

    init(in root: ScratchRoot, configure: (inout ChildProcess) -> Void) throws {
        socket = root.folder.path + "/echo"
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw UnexpectedResult("cannot create a pipe") }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[1]
        var child = ChildProcess(Products.folder + "/echo", [socket])
        configure(&child)
        _ = try ChildProcess.spawning.withLock { [child] _ in
            try child.spawn(at: ends[0], errors: socket + ".log")
        }
    }

    deinit { close(input) }
}
