import Foundation
import TestSupport
import Testing

/// The threads on which tests wait for processes.
struct OwnThreadTests {
    @Test("blocked bodies hold up neither each other nor the tasks of Swift's pool", .hangLimit)
    func blocked() async {
        let (inside, mayGo) = (Tally(), DispatchSemaphore(value: 0))
        let count = 50
        let blocked = Task {
            await atOnce(count) {
                await onOwnThread {
                    _ = inside.next()
                    mayGo.wait()
                }
            }
        }
        #expect(await eventually { inside.count == count })
        // All of them are blocked now, many more than the pool has threads.
        #expect(await atOnce(count) { 1 }.count == count)
        for _ in 0..<count { mayGo.signal() }
        #expect(await blocked.value.count == count)
    }
}
