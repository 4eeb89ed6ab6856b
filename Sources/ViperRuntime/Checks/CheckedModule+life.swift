import ModuleCatalog
import ViperKit

/// Checks that closed scenes are freed, and that generations do not affect each other.
extension CheckedModule {
    func faultsOfMemory() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            announce("open \(route.name)")
            faults += try await host.leaks(of: route.name, right(for: route)).map {
                "\($0) is still alive after \"\(route.name)\" was closed; fix: make the reference back to it weak"
            }
        }
        await host.end()
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
        await host.end()
        return faults
    }

    private func growth(of route: Manifest.Route, _ count: Int, in host: CheckHost) async throws(ViperError) -> Int {
        announce("open \(route.name)")
        return try await host.growth(of: route.name, right(for: route), count: count)
    }

    func faultsOfGenerations() async throws(ViperError) -> [String] {
        let (first, second) = (try await host(), try await host())
        var faults: [String] = []
        if let module = try await make(in: first), let other = try await make(in: second),
            type(of: module) == type(of: other)
        {
            faults.append("both generations share their types: the library was loaded only once")
        }
        for host in [first, second, first] {
            for route in manifest.routes { faults += await self.faults(route, in: host) }
        }
        await first.end()
        for route in manifest.routes { faults += await self.faults(route, in: second) }
        await second.end()
        return faults
    }
}
