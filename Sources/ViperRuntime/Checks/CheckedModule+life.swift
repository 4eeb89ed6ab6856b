import ModuleCatalog
import ViperKit

/// Checks that closed scenes are freed, and that generations do not affect each other.
extension CheckedModule {
    func faultsOfMemory() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            process.announce("open \(route.name)")
            let question = CheckQuestion.leaks(host: host, route: route.name, parameters: right(for: route))
            faults += try await process.ask(question, as: [String].self).map {
                "\($0) is still alive after \"\(route.name)\" was closed; fix: make the reference back to it weak"
            }
        }
        try await end(host)
        return faults
    }

    /// The tolerated growth over 1,000 opens, in bytes. Per open, this is less than the size of the smallest object,
    /// which is 16 bytes.
    private static let growthLimit = 15_000

    func faultsOfGrowth() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            // Fills caches and warms up memory allocation before the measurement.
            _ = try await growth(of: route, 200, in: host)
            // Caches and tables stop growing after a few attempts. If there is a leak, the memory keeps growing.
            var (growth, attempts) = (Int.max, 0)
            while growth > Self.growthLimit, attempts < 10 {
                growth = try await self.growth(of: route, 1000, in: host)
                attempts += 1
            }
            if growth > Self.growthLimit {
                faults.append(
                    "every 1,000 opens of \"\(route.name)\" leak \(growth) bytes: "
                        + "an object outside the scene retains them")
            }
        }
        try await end(host)
        return faults
    }

    private func growth(of route: Manifest.Route, _ count: Int, in host: Int) async throws(ViperError) -> Int {
        process.announce("open \(route.name)")
        let question = CheckQuestion.openOften(
            host: host, route: route.name, parameters: right(for: route), count: count)
        return try await process.ask(question, as: Int.self)
    }

    func faultsOfGenerations() async throws(ViperError) -> [String] {
        let (first, second) = (try await host(), try await host())
        var faults: [String] = []
        if let type = try await make(in: first), type == (try await make(in: second)) {
            faults.append("both generations share their types: the library was loaded only once")
        }
        for host in [first, second, first] {
            for route in manifest.routes { faults += await self.faults(route, in: host) }
        }
        try await end(first)
        for route in manifest.routes { faults += await self.faults(route, in: second) }
        try await end(second)
        return faults
    }
}
