import ViperKit

/// A subject that measures how long it takes to open a route in a window and close its scene.
enum SceneLife: Subject {
    static let name = "scenes"
    static let summary = "Opening and closing a scene"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let window = try SampleHost().window()
        let (counter, navigator) = (StepCounter(), IdleNavigator())
        @MainActor func open() async throws -> Int {
            try await window.open()
            defer { window.close() }
            return window.screen.sections.count
        }
        @MainActor func openByHand() async -> Int {
            let view = SampleWireframe.assemble(counter: counter, navigator: navigator).view
            await view.load()
            return view.screen.sections.count
        }
        return [
            Trial("open and close a scene, on the main actor", floor: "the same objects") { count in
                var sections = 0
                for _ in 0..<count { sections += try await open() }
                return sections
            } by: { count in
                var sections = 0
                for _ in 0..<count { sections += await openByHand() }
                return sections
            },
            Trial("open and close a scene, from another task", floor: "the same objects, one main-actor hop") {
                try await repeatOffMainActor($0, open)
            } by: {
                try await repeatOffMainActor($0, openByHand)
            },
        ]
    }

    /// Calls a main-actor function repeatedly from a thread of the cooperative pool, and returns the sum of the
    /// results.
    @concurrent
    private static func repeatOffMainActor(
        _ count: Int, _ work: @MainActor () async throws -> Int
    ) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum += try await work() }
        return sum
    }
}
