import CSystem
import Dispatch
import Glibc
import HostDriver
import Synchronization
import TestSupport
import Testing

@testable import HostSystem

@Suite(.hangLimit)
struct ReadinessTests {
    private let scratch: ScratchFolder
    private let queue = DispatchQueue(label: "ReadinessTests")

    init() throws { scratch = try ScratchFolder() }

    /// Two connected sockets. The test closes the other end.
    private static func pair() throws -> (own: Descriptors, other: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (Descriptors(reading: ends[0], writing: ends[0]), ends[1])
    }

    /// Counts the calls of a readiness. After the given number of calls, the readiness is cancelled.
    private func count(
        _ descriptors: Descriptors, _ direction: Readiness.Direction, until last: Int,
        _ body: @escaping @Sendable () -> Void = {}
    ) -> Counter {
        let (counter, readiness) = (Counter(), Readiness(of: descriptors, direction, on: queue))
        readiness.start {
            body()
            if counter.next() == last { readiness.cancel() }
        }
        return counter
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    @Test("A reader and a writer of the same socket receive their own events")
    func both() async throws {
        let (own, other) = try Self.pair()
        defer { close(other) }
        let reads = count(own, .reading, until: 2) {
            var byte: UInt8 = 0
            _ = withUnsafeMutableBytes(of: &byte) { own.read(into: $0) }
        }
        let writes = count(own, .writing, until: 3)
        #expect(await eventually { writes.count == 3 })
        #expect(reads.count == 0)
        #expect(Glibc.write(other, [1, 2], 2) == 2)
        #expect(await eventually { reads.count == 2 })
        #expect(writes.count == 3)
    }

    @Test("A closed other end is reported to a reader and to a writer")
    func closed() async throws {
        let (own, other) = try Self.pair()
        let reads = count(own, .reading, until: 1)
        close(other)
        #expect(await eventually { reads.count == 1 })
        let writes = count(own, .writing, until: 1)
        #expect(await eventually { writes.count == 1 })
    }

    @Test("A regular file, which epoll refuses, is always ready")
    func file() async throws {
        let descriptor = open(try scratch.write("text", to: "file"), O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        let reads = count(Descriptors(reading: descriptor, writing: descriptor), .reading, until: 100)
        #expect(await eventually { reads.count == 100 })
    }

    @Test("An event of an earlier registration does not reach a later one with the same descriptor number")
    func stale() async throws {
        let (own, other) = try Self.pair()
        let earlier = Readiness(of: own, .reading, on: queue)
        earlier.start {}
        let stale = try #require(Poller.shared.key(of: own.reading))
        earlier.cancel()
        let reads = count(own, .reading, until: 1)
        Poller.shared.handle(EPOLLIN.rawValue, of: stale)
        queue.sync {}
        #expect(reads.count == 0)
        #expect(Glibc.write(other, [1], 1) == 1)
        #expect(await eventually { reads.count == 1 })
        close(other)
    }

    @Test("A descriptor that the kernel does not watch is checked until it is ready")
    func unwatched() async throws {
        let (own, other) = try Self.pair()
        let reads = Counter()
        let readiness = Readiness(of: own, .reading, on: queue)
        readiness.start { if reads.next() == 1 { readiness.cancel() } }
        readiness.check(after: .milliseconds(0))
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
        }
        #expect(reads.count == 0)
        #expect(Glibc.write(other, [1], 1) == 1)
        #expect(await eventually { reads.count == 1 })
        close(other)
    }

    @Test("A paused handler gets no event until it resumes")
    func paused() async throws {
        let (own, other) = try Self.pair()
        let reads = Counter()
        let readiness = Readiness(of: own, .reading, on: queue)
        readiness.startInPlace {
            if reads.next() == 2 { readiness.cancel() }
            return false
        }
        #expect(Glibc.write(other, [1], 1) == 1)
        #expect(await eventually { reads.count == 1 })
        let (second, writer) = try Self.pair()
        let later = count(second, .reading, until: 3)
        #expect(Glibc.write(writer, [1], 1) == 1)
        #expect(await eventually { later.count == 3 })
        #expect(reads.count == 1)
        readiness.resume()
        #expect(await eventually { reads.count == 2 })
        for end in [other, writer] { close(end) }
    }

    @Test("Slow handlers do not delay the events of another descriptor")
    func slow() async throws {
        let (mayEnd, begun) = (DispatchSemaphore(value: 0), Counter())
        let slow = try (1...3).map { _ in try Self.pair() }
        for (own, other) in slow {
            let readiness = Readiness(of: own, .reading, on: DispatchQueue(label: "slow"))
            readiness.start {
                _ = begun.next()
                mayEnd.wait()
                readiness.cancel()
            }
            #expect(Glibc.write(other, [1], 1) == 1)
        }
        #expect(await eventually { begun.count == slow.count })
        let (own, other) = try Self.pair()
        let reads = count(own, .reading, until: 5)
        #expect(Glibc.write(other, [1], 1) == 1)
        #expect(await eventually { reads.count == 5 })
        for pair in slow {
            mayEnd.signal()
            close(pair.other)
        }
        close(other)
    }
}
