import Glibc
import HostDriver
import Testing
import ViperKit

@testable import HostSystem

struct FileLockTests {
    @Test("A lock that another process holds too long is an error for readers and writers")
    func held() async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/.lock"
        let holder = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(holder) }
        #expect(flock(holder, LOCK_EX) == 0)
        let folder = StoreFolder(path: scratch.path, timeout: .milliseconds(20))
        for access in [StoreFolder.Access.reading, .writing] {
            let error = try #require(await #expect(throws: ViperError.self) { try await folder.locked(for: access) {} })
            #expect(error.code == .storeFailed && error.subject == path)
            #expect(error.cause == "another process has held the lock for more than 0.02 s")
            #expect(error.fix == "stop that process; fuser \(path) shows its ID")
        }
        #expect(flock(holder, LOCK_SH) == 0)
        await #expect(throws: Never.self) { try await folder.locked(for: .reading) {} }
        await #expect(throws: ViperError.self) { try await folder.locked(for: .writing) {} }
        #expect(flock(holder, LOCK_UN) == 0)
        await #expect(throws: Never.self) { try await folder.locked(for: .writing) {} }
    }
}
