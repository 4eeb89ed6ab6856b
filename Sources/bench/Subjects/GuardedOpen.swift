import ViperKit

/// A subject that measures what guards add to the opening of a route.
enum GuardedOpen: Subject {
    static let name = "guards"
    static let summary = "Opening a route in a host with 100 guards"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let free = try SampleHost().window()
        return try [("an unwatched", false), ("a watched", true)].map { what, isWatched in
            let window = try SampleHost(guards: 100, isWatched: isWatched).window()
            return Trial(
                "open \(what) route, 100 guards", floor: "the same without guards",
                subject: { try await open($0, in: window) }, by: { try await open($0, in: free) })
        }
    }

    /// Opens the sample's route and closes its scene.
    @MainActor
    private static func open(_ count: Int, in window: SampleWindow) async throws -> Int {
        var sections = 0
        for _ in 0..<count {
            try await window.open()
            sections += window.screen.sections.count
            window.close()
        }
        return sections
    }
}
