/// A subject that measures how long it takes to replace a registered module with a newer version.
enum RegistryUpdate: Subject {
    static let name = "registry"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let (small, other, large) = (
            try SampleRegistry(modules: 10), try SampleRegistry(modules: 10), try SampleRegistry(modules: 10_000)
        )
        guard [small, other, large].allSatisfy(\.isResolved) else {
            throw UnexpectedResult("a module of the registry is not resolved")
        }
        return [
            // Both sides are the same, so the ratio's deviation from 1 shows the error of the method.
            Trial("change one of 10 modules", floor: "change one of 10 modules", subject: small.loop, by: other.loop),
            Trial(
                "change one of 10000 modules", floor: "change one of 10 modules", subject: large.loop, by: small.loop),
        ]
    }
}

extension SampleRegistry {
    fileprivate func loop(_ count: Int) -> Int {
        var changes = 0
        for _ in 0..<count where replace() { changes += 1 }
        return changes
    }
}
