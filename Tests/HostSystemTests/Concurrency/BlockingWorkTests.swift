import Dispatch
import HostDriver
import Synchronization
import TestSupport
import Testing

@testable import HostSystem

@Suite(.fewAtOnce, .hangLimit)
struct BlockingWorkTests {
    private final class Running: Sendable {
        private let state = Mutex((now: 0, most: 0))
        var now: Int { state.withLock { $0.now } }
        var most: Int { state.withLock { $0.most } }

        func begin() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func end() { state.withLock { $0.now -= 1 } }
    }

    @Test("A thousand blocking calls use four threads outside the cooperative pool, and all return")
    func bounded() async throws {
        await #expect(processExitsWith: .success) {
            let (gate, running) = (DispatchSemaphore(value: 0), Running())
            let calls = Task {
                await withTaskGroup(of: Int.self) { group in
                    for number in 0..<1000 {
                        group.addTask {
                            await BlockingWork.run {
                                running.begin()
                                defer { running.end() }
                                gate.wait()
                                return number
                            }
                        }
                    }
                    return await group.reduce(0, +)
                }
            }
            #expect(await eventually { running.now == 4 })
            // A task on the cooperative pool runs although all calls are blocked.
            await Task.detached {}.value
            let threads = try threadCount()
            #expect(threads < manyThreads)
            for _ in 0..<1000 { gate.signal() }
            #expect(await calls.value == (0..<1000).reduce(0, +))
            #expect(running.most == 4)
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test("An error that a call throws is rethrown")
    func throwing() async {
        await #expect(throws: Refusal()) {
            try await BlockingWork.run { () throws(Refusal) in throw Refusal() }
        }
    }
}
