import TestSupport
import Testing
import ViperKit
import ViperTesting

@Suite(.hangLimit)
struct TimeTests {
    @Test("A sleeper wakes at its deadline and not before")
    func clock() async throws {
        let clock = ManualClock()
        let woken = Woken()
        await withThrowingTaskGroup { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    await woken.add(seconds)
                }
            }
            await clock.sleepers(3)
            clock.advance(by: .milliseconds(999))
            #expect(await woken.all == [])
            clock.advance(by: .milliseconds(1))
            await woken.count(1)
            #expect(await woken.all == [1])
            clock.advance(by: .seconds(2))
        }
        #expect(await woken.all.sorted() == [1, 2, 3])
        #expect(clock.now.sinceStart == .seconds(3))
        // A sleep of zero returns at once.
        try await clock.sleep(for: .zero)
    }

    @Test("A cancelled sleeper throws CancellationError, even if it is cancelled before it sleeps")
    func cancelled() async {
        let clock = ManualClock()
        let asleep = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(1)
        asleep.cancel()
        await #expect(throws: CancellationError.self) { try await asleep.value }
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await before.value }
    }

    @Test("Slow services return the results of the wrapped services after the gate opens")
    func slow() async throws {
        let gate = Gate()
        let reader = SlowFileReader(FakeFileReader(["a": "[1]"]), behind: gate)
        let memory = MemoryDataProvider()
        let provider = SlowDataProvider(memory, behind: gate)
        let client = SlowHTTPClient(ScriptedHTTPClient(["GET /a": [.response(200, "b")]]), behind: gate)
        async let read = reader.read("a")
        async let decoded = reader.decode([Int].self, from: "a")
        async let inserted: Void = provider.insert(Note(id: "1"), into: "notes")
        async let sent = client.send(HTTPRequest(method: "GET", url: "http://x/a"))
        await gate.waiters(4)
        #expect(try await memory.all(Note.self, in: "notes").isEmpty)
        gate.open()
        #expect(try await read == Array("[1]".utf8))
        #expect(try await decoded == [1])
        #expect(try await sent.body == Array("b".utf8))
        try await inserted
        // An open gate stays open.
        #expect(try await provider.find(Note.self, id: "1", in: "notes") != nil)
        #expect(try await provider.all(Note.self, in: "notes").count == 1)
    }

    private struct Note: Record {
        var id: String
    }

    private actor Woken {
        private(set) var all: [Int] = []
        private var waiting: [(Int, CheckedContinuation<Void, Never>)] = []

        func add(_ number: Int) {
            all.append(number)
            for (count, continuation) in waiting where count <= all.count { continuation.resume() }
            waiting.removeAll { $0.0 <= all.count }
        }

        func count(_ count: Int) async {
            if all.count >= count { return }
            await withCheckedContinuation { waiting.append((count, $0)) }
        }
    }
}
