import Foundation
import HostDriver
import TestSupport
import Testing

struct OwnThreadTests {
    @Test("Blocked bodies delay neither each other nor tasks on the cooperative pool", .hangLimit)
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
