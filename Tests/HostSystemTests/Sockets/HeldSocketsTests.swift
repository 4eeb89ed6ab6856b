import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import HostSystem

/// The listening sockets that the host keeps for modules.
struct HeldSocketsTests {
    private let clock = ManualClock()

    /// Returns true if a client can connect.
    private func connects(_ address: String) throws -> Bool {
        let port = try #require(UInt16(address.split(separator: ":").last ?? ""))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var target = sockaddr_in()
        (target.sin_family, target.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        target.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &target) { target in
            target.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    @Test("A socket stays open for the next holder of its address, and closes ten seconds after the last one")
    func held() async throws {
        let sockets = HeldSockets(clock: clock)
        var first: (any ListeningSocket)? = try sockets.socket(at: "127.0.0.1:0")
        let (address, descriptor) = try (#require(first?.address), #require(first?.descriptor))
        #expect(address.hasPrefix("127.0.0.1:") && address != "127.0.0.1:0")
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC && fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        first = nil
        await clock.sleepers(1)
        clock.advance(by: .seconds(9))
        var second: (any ListeningSocket)? = try sockets.socket(at: "127.0.0.1:0")
        #expect(second?.address == address && second?.descriptor == descriptor)
        clock.advance(by: .seconds(100))
        #expect(try connects(address))
        second = nil
        await clock.sleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await eventually { try !connects(address) })
        #expect(try sockets.socket(at: "127.0.0.1:0").address != address)
    }

    @Test("Addresses of both families are accepted, and other texts are refused")
    func addresses() throws {
        let sockets = HeldSockets()
        #expect(try sockets.socket(at: "localhost:0").address.hasPrefix("127.0.0.1:"))
        for text in [
            "", ":", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "example.org:80", "::1:80",
            "[127.0.0.1]:80", "[]:80", "127.0.0.1:-1", "127.0.0.1:80 ", "\0:80",
        ] {
            let error = #expect(throws: ViperError.self, "\(text)") { try sockets.socket(at: text) }
            #expect(error?.code == .addressInvalid, "\(text)")
        }
        let used = try sockets.socket(at: "127.0.0.1:0").address
        let error = #expect(throws: ViperError.self) { try HeldSockets().socket(at: used) }
        #expect(error?.code == .listeningFailed && error?.cause == "Address already in use")
    }
}
