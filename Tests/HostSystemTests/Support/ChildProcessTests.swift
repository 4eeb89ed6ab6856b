import Glibc
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ChildProcessTests {
    @Test("A child inherits no descriptor of this process, even without close-on-exec")
    func descriptors() async throws {
        let careless = open("/dev/null", O_RDONLY)
        defer { close(careless) }
        // Descriptor 3 is the folder that ls lists.
        #expect(try await ChildProcess("ls", ["/proc/self/fd"]).run().text == "0\n1\n2\n3\n")
    }
}
