import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// Checks that a module survives events in any order.
extension CheckedModule {
    func faultsOfEvents() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: Set<String> = []
        for route in manifest.routes {
            for seed in 1...10 as ClosedRange<UInt64> {
                var random = SplitMix(state: seed)
                let window = try await open(route, in: host)
                let first = window.top?.view
                for _ in 0..<50 {
                    let event = Self.event(on: window.screen, &random)
                    announce("\(route.name): \(event)")
                    // The view receives the event even if its screen does not offer it.
                    await window.top?.view?.handle(event)
                    for duplicate in window.screen.duplicates {
                        faults.insert("on a screen reached from \"\(route.name)\", \(duplicate)")
                    }
                }
                announce("\(route.name): an event after the scene was closed")
                let late = Self.event(on: window.screen, &random)
                window.closeAll()
                // Another object may still hold the view of a closed scene.
                await first?.handle(late)
                await first?.load()
            }
        }
        await host.end()
        return faults.sorted()
    }

    private static let texts = [
        "", "1", "-1", "x", "\u{0}", "\u{1F469}\u{200D}\u{1F680}", String(repeating: "x", count: 10_000),
    ]

    private static func event(on screen: Screen, _ random: inout SplitMix) -> Event {
        let text = texts.randomElement(using: &random) ?? ""
        let actions = screen.ids(of: .alertAction) + screen.ids(of: .action) + ["no such action", ""]
        let rows = screen.sections.prefix(5).flatMap { $0.rows.prefix(5).map(\.id) } + ["no such row", ""]
        let fields = screen.ids(of: .field) + ["no such field", ""]
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2: return .press(action: actions.randomElement(using: &random) ?? "")
        case 3, 4: return .select(row: rows.randomElement(using: &random) ?? "")
        case 8:
            let acting = screen.sections.prefix(5).flatMap { $0.rows.prefix(5).filter { !$0.actions.isEmpty } }
            guard let row = acting.randomElement(using: &random), let action = row.actions.randomElement(using: &random)
            else { return .act(row: "no such row", action: "no such action") }
            return .act(row: row.id, action: action.id)
        case 5, 6: return .fill(field: fields.randomElement(using: &random) ?? "", text: text)
        default:
            // The result may be invalid JSON.
            let jsons = ["null", "{}", "[1]", "", "{\"name\": 1}", "\u{0}"]
            let json = Array((jsons.randomElement(using: &random) ?? "").utf8)
            return .returned(from: "no/such-route", result: SceneResult(json: json, coder: FoundationJSONCoder()))
        }
    }
}

/// A random number generator that returns the same sequence in every run: SplitMix64,
/// https://prng.di.unimi.it/splitmix64.c.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
