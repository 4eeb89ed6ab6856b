/// A subject that measures how long it takes to look up one route among many.
enum RouteLookup: Subject {
    static let name = "routes"
    static let summary = "Finding a route among up to a million"

    static func trials(_ effort: Effort) throws -> [Trial] {
        // Registering a million routes takes several seconds and 800 MB of memory.
        let sizes = [10, 1_000, 100_000] + (effort == .quick ? [] : [1_000_000])
        let samples = try sizes.map(SampleRoutes.init)
        return samples.map { trial("look up", in: "look up a route", $0, $0.contains) }
            + samples.prefix(1).map { trial("request", in: nil, $0, $0.finds) }
    }

    @MainActor
    private static func trial(
        _ verb: String, in series: String?, _ routes: SampleRoutes, _ find: @escaping @MainActor (String) throws -> Bool
    ) -> Trial {
        let names = routes.names
        let hand = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        return Trial(
            "\(verb) one of \(names.count) routes",
            in: series.map { Trial.Series(name: $0, unit: "routes", size: names.count) },
            floor: "Dictionary<String, Int>",
            subject: loop(over: names, find), by: loop(over: names) { hand[$0] != nil })
    }

    @MainActor
    private static func loop(
        over names: [String], _ find: @escaping @MainActor (String) throws -> Bool
    ) -> Loop {
        let cursor = Cursor(names)
        return { count in
            var found = 0
            for _ in 0..<count where try find(cursor.next()) { found += 1 }
            return found
        }
    }
}

/// A source of names that starts over after the last name. Each loop continues where the previous loop stopped. The
/// lookups therefore use all names, and not only those in the processor's caches.
@MainActor
private final class Cursor {
    private let names: [String]
    private var index = 0

    init(_ names: [String]) { self.names = names }

    func next() -> String {
        let name = names[index]
        index = index + 1 == names.count ? 0 : index + 1
        return name
    }
}
