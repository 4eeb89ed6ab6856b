import Glibc
import Testing

@testable import HostSystem

struct StandardDescriptorsTests {
    @Test("A descriptor above the standard ones stays the same")
    func other() {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(descriptor > STDERR_FILENO && StandardDescriptors.avoid(descriptor) == descriptor)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("A failed call's result and reason are passed on")
    func failed() {
        errno = EMFILE
        #expect(StandardDescriptors.avoid(-1) == -1 && errno == EMFILE)
    }
}
