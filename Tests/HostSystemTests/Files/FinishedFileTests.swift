import Foundation
import Glibc
import HostDriver
import Testing

@testable import HostSystem

struct FinishedFileTests {
    private let scratch: ScratchFolder
    private let path: String

    init() throws {
        scratch = try ScratchFolder()
        path = try scratch.write("content", to: "file")
    }

    private func read(hasLeases: Bool = true, settlingTime: Duration = .seconds(2)) throws -> String {
        let file = try RegularFile(path: path)
        return String(
            decoding: try file.readFinished(limit: 100, hasLeases: hasLeases, settlingTime: settlingTime), as: UTF8.self
        )
    }

    private func failure(_ work: () throws -> Void) throws -> RegularFile.Failure {
        let error = try #require(throws: RegularFile.Failure.self) { try work() }
        #expect(error.isUnfinished)
        return error
    }

    @Test("A file is readable only after its writer closes it")
    func writer() throws {
        let writer = try FileHandle(forWritingTo: URL(filePath: path))
        #expect(try failure { _ = try read() }.cause == "a process has it open for writing")
        try writer.close()
        #expect(try read() == "content")
    }

    @Test("A file that grew after it was opened counts as unfinished")
    func grown() throws {
        let file = try RegularFile(path: path)
        let writer = try FileHandle(forWritingTo: URL(filePath: path))
        try writer.write(contentsOf: Data("more content".utf8))
        try writer.close()
        #expect(try failure { _ = try file.readFinished(limit: 100) }.cause == "it changed while it was read")
        #expect(try read() == "more content")
    }

    @Test("A writer that opens the file breaks the read lease without killing the process")
    func broken() throws {
        let file = try RegularFile(path: path)
        // The macros do not accept noncopyable values.
        guard let lease = try ReadLease(on: file.descriptor) else {
            Issue.record("the file system of \(path) has no leases")
            return
        }
        let before = lease.isWhole
        #expect(before)
        // Without O_NONBLOCK, `open` would wait for the lease.
        #expect(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1)
        #expect(errno == EAGAIN)
        let after = lease.isWhole
        #expect(!after)
    }

    @Test("The lease is released after the read")
    func released() throws {
        _ = try read()
        let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        #expect(writer >= 0)
        close(writer)
    }

    @Test("Without leases, a file is readable once it is unchanged for the settling time")
    func settled() throws {
        #expect(try read(hasLeases: false, settlingTime: .zero) == "content")
        let century = Duration.seconds(100 * 365 * 86_400)
        #expect(
            try failure { _ = try read(hasLeases: false, settlingTime: century) }.cause
                == "it changed less than 3153600000 seconds ago")
    }

    @Test("A file in /proc gets no lease and no error")
    func unavailable() throws {
        let file = try RegularFile(path: "/proc/self/status")
        let hasLease = try ReadLease(on: file.descriptor) != nil
        #expect(!hasLease)
    }
}
