import CSystem
import Glibc
import Testing

@testable import HostSystem

struct ChildSpawnTests {
    @Test("Crossed standard descriptors reach the child correctly")
    func crossedDescriptors() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe2(&ends, O_CLOEXEC) == 0)
        defer { close(ends[0]) }
        // The child's standard output is this process's standard error, and its standard error is the pipe.
        let spawn = ChildSpawn(
            program: "sh",
            arguments: ["-c", "[ /proc/self/fd/1 -ef /proc/self/fd/2 ] && word=same || word=apart; echo $word >&2"],
            descriptors: [(ends[1], STDERR_FILENO), (STDERR_FILENO, STDOUT_FILENO)])
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try spawn.start()
        }
        var text: [UInt8] = []
        while case .bytes(let bytes) = SystemRead(of: ends[0]) { text += bytes }
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        #expect(String(decoding: text, as: UTF8.self) == "apart\n")
    }
}
