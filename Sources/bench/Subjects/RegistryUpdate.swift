/// A subject that measures how long it takes to change one module of a registry.
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
            Trial(
                "replace one of 10 modules", floor: "replace one of 10 modules", subject: small.replacing,
                by: other.replacing),
            Trial(
                "replace one of 10000 modules", floor: "replace one of 10 modules", subject: large.replacing,
                by: small.replacing),
            Trial(
                "note an error of one of 10000 modules", floor: "the same with 10 modules", subject: large.noting,
                by: small.noting),
        ]
    }
}

extension SampleRegistry {
    fileprivate func noting(_ count: Int) -> Int {
        for _ in 0..<count { note() }
        return count
    }

    fileprivate func replacing(_ count: Int) -> Int {
        var changes = 0
        for _ in 0..<count where replace() { changes += 1 }
        return changes
    }
}
