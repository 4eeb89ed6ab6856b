import Foundation
import Glibc
import TestSupport
import Testing

@testable import ViperRuntime

/// Files that count only when no process is writing them.
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

    @Test("a file is read at once when its writer has closed it, and not before")
    func writer() throws {
        let writer = try FileHandle(forWritingTo: URL(filePath: path))
        #expect(try failure { _ = try read() }.cause == "a process has it open for writing")
        try writer.close()
        #expect(try read() == "content")
    }

    @Test("what was written after the file was opened is not cut off: the file counts as unfinished")
    func grown() throws {
        let file = try RegularFile(path: path)
        let writer = try FileHandle(forWritingTo: URL(filePath: path))
        try writer.write(contentsOf: Data("more content".utf8))
        try writer.close()
        #expect(try failure { _ = try file.readFinished(limit: 100) }.cause == "it changes while it is read")
        #expect(try read() == "more content")
    }

    @Test("a writer that comes while the file is read breaks the lease, and the process lives on")
    func broken() throws {
        let file = try RegularFile(path: path)
        // The macros take no value that cannot be copied.
        guard let lease = try ReadLease(on: file.descriptor) else {
            Issue.record("the file system of \(path) has no leases")
            return
        }
        let before = lease.isWhole
        #expect(before)
        // Without O_NONBLOCK it would wait for the lease.
        #expect(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1)
        #expect(errno == EAGAIN)
        let after = lease.isWhole
        #expect(!after)
    }

    @Test("a lease keeps nobody from writing once the file was read")
    func released() throws {
        _ = try read()
        let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        #expect(writer >= 0)
        close(writer)
    }

    @Test("without leases a file counts when it has not changed for a while")
    func settled() throws {
        #expect(try read(hasLeases: false, settlingTime: .zero) == "content")
        let century = Duration.seconds(100 * 365 * 86_400)
        #expect(
            try failure { _ = try read(hasLeases: false, settlingTime: century) }.cause
                == "it changed less than 3153600000 seconds ago")
    }

    @Test("the kernel's own files have no lease, which is no error")
    func unavailable() throws {
        let file = try RegularFile(path: "/proc/self/status")
        let hasLease = try ReadLease(on: file.descriptor) != nil
        #expect(!hasLease)
    }
}
