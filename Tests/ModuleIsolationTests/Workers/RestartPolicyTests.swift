import Testing

@testable import ModuleIsolation

struct RestartPolicyTests {
    private let start = ContinuousClock.now

    private func decisions(_ policy: RestartPolicy = RestartPolicy(), at seconds: [Double]) -> [RestartPolicy.Decision]
    {
        var policy = policy
        return seconds.map { policy.ended(at: start + .seconds($0), isFault: true) }
    }

    @Test("Restarts are delayed more and more, and stop after the fifth crash in a minute")
    func delays() {
        #expect(
            decisions(at: [0, 1, 2, 3, 4, 5]) == [
                .start(after: .zero), .start(after: .milliseconds(100)), .start(after: .milliseconds(200)),
                .start(after: .milliseconds(400)), .giveUp, .giveUp,
            ])
    }

    @Test("The description of too many crashes has the policy's own numbers")
    func excess() {
        var policy = RestartPolicy()
        #expect(policy.excess == "5 crashes within 60 s")
        (policy.crashLimit, policy.window) = (3, .seconds(10))
        #expect(policy.excess == "3 crashes within 10 s")
    }

    @Test("The delay before a restart is at most five seconds")
    func longest() {
        var policy = RestartPolicy()
        policy.crashLimit = 1000
        let all = decisions(policy, at: Array(repeating: 0, count: 999))
        #expect(
            all[6] == .start(after: .milliseconds(3200)) && all[7...].allSatisfy { $0 == .start(after: .seconds(5)) })
    }

    @Test("A minute without a crash resets the policy, and slow crashes never stop the restarts")
    func quietMinute() {
        #expect(decisions(at: [0, 1, 2, 3, 63])[4] == .start(after: .zero))
        #expect(decisions(at: (0..<40).map { Double($0) * 16 }).allSatisfy { $0 != .giveUp })
        // Four crashes in a minute are always allowed. The fifth stops the restarts.
        #expect(decisions(at: [0, 20, 40, 59.9, 60, 61])[4...] == [.start(after: .milliseconds(400)), .giveUp])
    }

    @Test("Workers that are killed from outside delay restarts, and neither stop them nor count as crashes")
    func kills() {
        var policy = RestartPolicy()
        let delays = (0..<10).map { policy.ended(at: start + .seconds($0), isFault: false) }
        #expect(
            delays.prefix(3) == [
                .start(after: .zero), .start(after: .milliseconds(100)), .start(after: .milliseconds(200)),
            ])
        #expect(delays.last == .start(after: .seconds(5)))
        for second in 10..<14 {
            #expect(policy.ended(at: start + .seconds(second), isFault: true) == .start(after: .seconds(5)))
        }
        #expect(policy.ended(at: start + .seconds(14), isFault: false) == .start(after: .seconds(5)))
        #expect(policy.ended(at: start + .seconds(15), isFault: true) == .giveUp)
    }
}
