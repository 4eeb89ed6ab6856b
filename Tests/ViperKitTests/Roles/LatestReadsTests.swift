import HostDriver
import TestSupport
import Testing
@_spi(Host) import ViperKit

@MainActor
@Suite(.hangLimit)
struct LatestReadsTests {
    private let reads = LatestReads()
    private let error = ViperError(.storeFailed, operation: "cannot read", subject: "teas", cause: "of the test")

    private struct Read {
        /// Lets the read end.
        let gate: AsyncStream<Void>.Continuation
        let task: Task<Result<Int?, ViperError>, Never>

        func end() async -> Result<Int?, ViperError> {
            gate.finish()
            return await task.value
        }
    }

    /// Starts a read that waits for its gate.
    private func begin(_ result: Result<Int, ViperError>) async -> Read {
        let (opened, gate) = AsyncStream.makeStream(of: Void.self)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            do throws(ViperError) {
                let value = try await reads.latest { () async throws(ViperError) in
                    beginning.finish()
                    for await _ in opened {}
                    return try result.get()
                }
                return Result<Int?, ViperError>.success(value)
            } catch {
                return .failure(error)
            }
        }
        for await _ in begun {}
        return Read(gate: gate, task: task)
    }

    @Test("A result that a newer read has overtaken is nil, and so is an error")
    func overtaken() async {
        for old in [.success(1), .failure(error)] as [Result<Int, ViperError>] {
            let (first, second) = (await begin(old), await begin(.success(2)))
            #expect(await second.end() == .success(2))
            #expect(await first.end() == .success(nil))
        }
    }

    @Test("A result is returned while a newer read still runs, and so is an error")
    func inOrder() async {
        for old in [.success(1), .failure(error)] as [Result<Int, ViperError>] {
            let (first, second) = (await begin(old), await begin(.success(2)))
            #expect(await first.end() == old.map { $0 })
            #expect(await second.end() == .success(2))
        }
    }

    @Test("Changes are followed once, until the reads are freed")
    func following() async {
        let observers = CollectionObservers()
        var (reads, count, streams) = (LatestReads() as LatestReads?, 0, 0)
        func changes() -> AsyncStream<CollectionChange> {
            streams += 1
            return observers.changes(in: "teas")
        }
        for _ in 0..<2 { reads?.follow(changes()) { count += 1 } }
        #expect(streams == 1)
        observers.notifyObservers(of: ["teas"])
        #expect(await eventually { count == 1 })
        reads = nil
        #expect(await eventually { observers.observedCollections.isEmpty })
    }

    @Test("The reads of a scene that has closed follow no more, although a call retains its presenter")
    func closed() async {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        continuation.onTermination = { _ in end.finish() }
        let lifetime = SceneLifetime()
        var count = 0
        SceneLifetime.$current.withValue(lifetime) { reads.follow(changes) { count += 1 } }
        continuation.yield()
        #expect(await eventually { count == 1 })
        lifetime.end()
        continuation.yield()
        for await _ in ends {}
        #expect(count == 1)
    }
}
