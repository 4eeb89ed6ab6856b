import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// Random histories of a root, of uses and of outcomes. Whatever happens, the registry ends up equal to the root.
struct ReconciliationHistoryTests {
    private static let names = ["a", "b", "c", "d"]
    private static let services = ["s", "t"]

    /// Returns a random version of a module. The same number results in the same version.
    private func entry(_ name: String, _ random: inout SeededGenerator) throws -> CatalogEntry {
        let file = "\(name).json"
        if Int.random(in: 0..<12, using: &random) == 0 { return try catalogEntry(text: "{", file: file) }
        let name = Int.random(in: 0..<8, using: &random) == 0 ? Self.names.randomElement(using: &random) ?? name : name
        func some() -> [String] { Self.services.filter { _ in Int.random(in: 0..<3, using: &random) == 0 } }
        let provides = some()
        return try catalogEntry(
            name, routes: ["r\(Int.random(in: 0..<6, using: &random))"],
            requires: some().filter { !provides.contains($0) },
            provides: provides, file: file)
    }

    @Test("The registry follows every history", arguments: 0..<300)
    func histories(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let root = RootModel()
        for _ in 0..<30 {
            let name = Self.names.randomElement(using: &random) ?? "a"
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: root.put(try entry(name, &random))
            case 3: root.remove(name)
            case 4:
                let usable = root.registry.snapshot.modules.filter { $0.state == .resolved }
                if let record = usable.randomElement(using: &random) { try root.activate(record) }
            case 5: root.retry()
            default:
                let steps = root.next.steps.sorted { $0.key < $1.key }
                if let step = steps.randomElement(using: &random)?.value {
                    try root.end(step, [nil, nil, .crash, .shortage].randomElement(using: &random) ?? nil)
                }
            }
            root.pass(.milliseconds(Int.random(in: 0..<200, using: &random)))
            root.reconcile()
            checkAlways(root)
        }
        try finish(root)
    }

    /// Properties of every state.
    private func checkAlways(_ root: RootModel) {
        let snapshot = root.registry.snapshot
        #expect(root.leaked.isEmpty)
        for record in snapshot.modules {
            #expect((record.state == .active) == (record.generation != nil))
            let isIncomplete = record.state != .retired && record.files != root.desired(record.file)
            // Whatever differs from the root has a pending step, or is missing for a short time.
            if isIncomplete, root.desired(record.file) != nil { #expect(record.pending != nil) }
        }
        let usable = snapshot.modules.filter(\.state.isUsable)
        #expect(Set(usable.map(\.name)).count == usable.count)
        #expect(
            usable.allSatisfy { record in
                record.manifest?.requires.allSatisfy { snapshot.providers(for: record)[$0] != nil } ?? false
            })
    }

    /// Lets all steps succeed. Then every usable module has the files of the root and current providers.
    private func finish(_ root: RootModel) throws {
        root.pass(.seconds(1))
        root.retry()
        var count = 0
        while let step = root.next.steps.sorted(by: { $0.key < $1.key }).first?.value {
            try root.end(step)
            root.reconcile()
            count += 1
            try #require(count < 200, "the steps never end")
        }
        let snapshot = root.registry.snapshot
        for record in snapshot.modules where record.state.isUsable {
            if record.files != root.desired(record.file) { #expect(record.rejection != nil, "\(record.name)") }
            if let generation = record.generation {
                #expect(generation.wiring.isCurrent(for: record, in: snapshot) || record.pending?.kind == .providers)
            }
        }
        for file in root.files { #expect(snapshot.module(from: file) != nil, "\(file)") }
    }
}

/// A generator of random numbers that repeats the same sequence for the same seed; see https://prng.di.unimi.it/splitmix64.c.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
