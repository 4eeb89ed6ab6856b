import ViperKit

/// A subject that measures a front end with many open windows.
enum OpenWindows: Subject {
    static let name = "windows"
    static let summary = "A front end with 1,000 open windows"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let (few, many) = (try await FrontEnd(10), try await FrontEnd(1_000))
        return [
            Trial(
                "open and close one more than 1000 windows", floor: "the same with 10 windows",
                subject: many.open, by: few.open),
            Trial(
                "change one of 1000 windows", floor: "the same with 10 windows", subject: many.change, by: few.change),
        ]
    }
}

/// A front end that follows the states of all its windows.
@MainActor
private final class FrontEnd {
    private let host: SampleHost
    private var windows: [any OpenWindow] = []
    private var followers: [Task<Void, Never>] = []
    private var changed = 0

    init(_ count: Int) async throws {
        host = try SampleHost()
        for _ in 0..<count {
            let window = try await host.windows.open(SampleModule.route, for: "front end")
            windows.append(window)
            followers.append(Task { for await _ in window.states() {} })
        }
    }

    deinit { for follower in followers { follower.cancel() } }

    func open(_ count: Int) async throws -> Int {
        var sections = 0
        for _ in 0..<count {
            let window = try await host.windows.open(SampleModule.route, for: "front end")
            sections += await window.state().screen.sections.count
            await window.close()
        }
        return sections
    }

    /// Sends an event to one window after the other.
    func change(_ count: Int) async throws -> Int {
        var actions = 0
        for _ in 0..<count {
            changed = (changed + 1) % windows.count
            try await windows[changed].send(.press(action: SampleView.add.id))
            actions += await windows[changed].state().screen.actions.count
        }
        return actions
    }
}
