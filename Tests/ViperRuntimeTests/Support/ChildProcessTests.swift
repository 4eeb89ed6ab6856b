import Glibc
import TestSupport
import Testing

/// The child processes of the tests.
@Suite(.fewAtOnce)
struct ChildProcessTests {
    @Test("a child has no descriptor of this process, also where that does not close it by itself")
    func descriptors() async throws {
        let careless = open("/dev/null", O_RDONLY)
        defer { close(careless) }
        // The fourth is the folder that ls lists.
        #expect(try await ChildProcess("ls", ["/proc/self/fd"]).run().text == "0\n1\n2\n3\n")
    }
}
