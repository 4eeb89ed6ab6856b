/// A subject that measures how long it takes to change one module of a registry.
enum RegistryUpdate: Subject {
    static let name = "registry"
    static let summary = "Changing one of up to 10,000 modules"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let sizes = [10, 100, 1_000] + (effort == .quick ? [] : [10_000])
        let registries = try sizes.map { try SampleRegistry(modules: $0) }
        // With 10 modules, both sides are the same, so the difference between the ratio and 1 is the measurement error.
        let small = try SampleRegistry(modules: 10)
        guard (registries + [small]).allSatisfy(\.isResolved) else {
            throw UnexpectedResult("a module of the registry is not resolved")
        }
        func trials(_ name: String, _ series: String, upTo size: Int, _ loop: (SampleRegistry) -> Loop) -> [Trial] {
            zip(sizes, registries).filter { $0.0 <= size }.map { size, registry in
                Trial(
                    "\(name) one of \(size) modules", in: .init(name: series, unit: "modules", size: size),
                    floor: "the same with 10 modules", subject: loop(registry), by: loop(small))
            }
        }
        // After each change of the root, the whole reconciliation runs.
        return trials("replace", "replace a module", upTo: 10_000) { $0.replacing }
            + trials("reconcile the version of", "reconcile a version", upTo: 1_000) { $0.reconcilingVersion }
            + trials("reconcile the route of", "reconcile a route", upTo: 1_000) { $0.reconcilingRoute }
    }
}

extension SampleRegistry {
    fileprivate func replacing(_ count: Int) -> Int {
        for _ in 0..<count { replace() }
        return count
    }

    fileprivate func reconcilingVersion(_ count: Int) throws -> Int { try reconcile(count, isAlike: true) }

    fileprivate func reconcilingRoute(_ count: Int) throws -> Int { try reconcile(count, isAlike: false) }

    private func reconcile(_ count: Int, isAlike: Bool) throws -> Int {
        for _ in 0..<count { try reconcile(isAlike: isAlike) }
        return isReconciled ? count : 0
    }
}
