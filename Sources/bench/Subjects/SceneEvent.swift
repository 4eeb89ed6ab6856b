import ModuleRuntime
import ViperKit

/// A subject that measures how long an open scene takes to handle an event.
enum SceneEvent: Subject {
    static let name = "events"
    static let summary = "An event in an open scene"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let window = try SampleHost().window()
        try await window.open()
        let hand = SampleWireframe.assemble(counter: StepCounter(), navigator: IdleNavigator())
        await hand.view.load()
        return [
            Trial("handle an event", floor: "a direct call of the same presenter") { count in
                var actions = 0
                for _ in 0..<count {
                    try await window.handle(.press(action: SampleView.add.id))
                    actions += window.screen.actions.count
                }
                return actions
            } by: { count in
                var actions = 0
                for _ in 0..<count {
                    await hand.presenter.add()
                    actions += hand.view.screen.actions.count
                }
                return actions
            },
            Trial("count a call for the metrics", floor: "two readings of the clock") { count in
                let calls = CallCount()
                for _ in 0..<count { _ = try await calls.count("sample") { true } }
                return calls.numbers.calls
            } by: { count in
                var time = Duration.zero
                for _ in 0..<count {
                    let begin = ContinuousClock.now
                    time += .now - begin
                }
                return time > .zero ? count : 0
            },
        ]
    }
}
