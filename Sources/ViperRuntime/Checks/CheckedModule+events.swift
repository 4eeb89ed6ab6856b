import ViperKit

/// Whatever a person or a fault does to a screen, in whatever order.
extension CheckedModule {
    func faultsOfEvents() async throws(ViperError) -> [String] {
        let (host, manifest, _) = try await host()
        for route in manifest.routes {
            for seed in 1...10 as ClosedRange<UInt64> {
                try await open(route, in: host) { window in
                    var random = SplitMix(state: seed)
                    let view = window.top?.view
                    for _ in 0..<50 {
                        let event = Self.event(on: window.screen, &random)
                        announce("\(route.name): \(event)")
                        // Not by way of the window, which would refuse what is not on the screen.
                        await window.top?.view?.handle(event)
                    }
                    window.closeAll()
                    announce("\(route.name): an event after the scene was closed")
                    // The scene is closed, but somebody may still hold the view.
                    await view?.handle(Self.event(on: window.screen, &random))
                    await view?.viewDidLoad()
                }
            }
        }
        await host.shutDown()
        return []
    }

    private static func event(on screen: Screen, _ random: inout SplitMix) -> Event {
        let texts = ["", "1", "-1", "x", "\u{0}", "\u{1F469}\u{200D}\u{1F680}", String(repeating: "x", count: 10_000)]
        let text = texts.randomElement(using: &random) ?? ""
        let actions = ((screen.alert?.actions ?? []) + screen.actions).map(\.id) + ["no such action", ""]
        let rows = screen.sections.prefix(5).flatMap { $0.rows.prefix(5).map(\.id) } + ["no such row", ""]
        let fields = (screen.form?.fields.map(\.name) ?? []) + ["no such field", ""]
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2: return .press(action: actions.randomElement(using: &random) ?? "")
        case 3, 4: return .select(row: rows.randomElement(using: &random) ?? "")
        case 5, 6: return .fill(field: fields.randomElement(using: &random) ?? "", text: text)
        default:
            let jsons = ["null", "{}", "[1]", "", "{\"name\": 1}", "\u{0}"]
            let json = Array((jsons.randomElement(using: &random) ?? "").utf8)
            return .returned(from: "no/such-route", result: SceneResult(json: json, coder: FoundationJSONCoder()))
        }
    }
}

/// Random numbers that are the same in each run: SplitMix64, https://prng.di.unimi.it/splitmix64.c.
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
