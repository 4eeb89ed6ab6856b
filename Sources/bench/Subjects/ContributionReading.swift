import FoundationEssentials
import ViperKit

/// A subject that measures how long it takes to read what modules contribute to a point.
enum ContributionReading: Subject {
    static let name = "contributions"
    static let summary = "Reading 1,000 contributions to one point"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let sample = try SampleContributions(1_000)
        let (data, decoder) = (sample.texts.map { Data($0.utf8) }, JSONDecoder())
        return [
            Trial("read and decode 1000 contributions", floor: "JSONDecoder") { count in
                var complete = 0
                for _ in 0..<count {
                    let entries = try await sample.registry.contributions(to: "menu", as: Entry.self)
                    if try entries.reduce(0, { try $0 + $1.value.get().weight }) == 1_000 { complete += 1 }
                }
                return complete
            } by: { count in
                var complete = 0
                for _ in 0..<count {
                    let entries = try data.map { try decoder.decode(Entry.self, from: $0) }
                    if entries.reduce(0, { $0 + $1.weight }) == 1_000 { complete += 1 }
                }
                return complete
            }
        ]
    }
}

private struct Entry: Decodable, Sendable {
    var title, route: String

    /// 1 if the entry has a title and a route.
    var weight: Int { title.isEmpty || route.isEmpty ? 0 : 1 }
}
