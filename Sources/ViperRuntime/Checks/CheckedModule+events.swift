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
                let opened = try await open(route, in: host)
                var screen = opened.screen
                for _ in 0..<50 {
                    let step = Self.step(on: screen, &random)
                    process.announce("\(route.name): \(step.event)")
                    screen = try await process.ask(.handle(window: opened.window, event: step), as: Screen.self)
                    for duplicate in screen.duplicates {
                        faults.insert("on a screen reached from \"\(route.name)\", \(duplicate)")
                    }
                }
                process.announce("\(route.name): an event after the scene was closed")
                // Another object may still hold the view of a closed scene.
                try await process.ask(.close(window: opened.window, late: Self.step(on: screen, &random)))
            }
        }
        try await end(host)
        return faults.sorted()
    }

    private static let texts = [
        "", "1", "-1", "x", "\u{0}", "\u{1F469}\u{200D}\u{1F680}", String(repeating: "x", count: 10_000),
    ]

    private static func step(on screen: Screen, _ random: inout SplitMix) -> SceneStep {
        let text = texts.randomElement(using: &random) ?? ""
        let actions = screen.ids(of: .alertAction) + screen.ids(of: .action) + ["no such action", ""]
        let rows = screen.sections.prefix(5).flatMap { $0.rows.prefix(5).map(\.id) } + ["no such row", ""]
        let fields = screen.ids(of: .field) + ["no such field", ""]
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: return .press(actions.randomElement(using: &random) ?? "")
        case 3, 4: return .select(rows.randomElement(using: &random) ?? "")
        case 5, 6: return .fill(field: fields.randomElement(using: &random) ?? "", text: text)
        default:
            let jsons = ["null", "{}", "[1]", "", "{\"name\": 1}", "\u{0}"]
            return .returned(json: jsons.randomElement(using: &random) ?? "")
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
