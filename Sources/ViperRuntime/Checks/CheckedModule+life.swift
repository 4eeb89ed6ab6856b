import ModuleCatalog
import ViperKit

/// What is opened goes again, and disturbs nobody.
extension CheckedModule {
    func faultsOfMemory() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            process.announce("open \(route.name)")
            let question = CheckQuestion.leaks(host: host, route: route.name, parameters: right(for: route))
            faults += try await process.ask(question, as: [String].self).map {
                "\($0) is alive after \"\(route.name)\" closed: make the reference back to it weak"
            }
        }
        try await end(host)
        return faults
    }

    /// What 1,000 opens may leave behind, in bytes: less than one of the smallest objects, 16 bytes, for each.
    private static let growthLimit = 15_000

    func faultsOfGrowth() async throws(ViperError) -> [String] {
        let host = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            // Caches are filled, and every kind of memory has been used.
            _ = try await growth(of: route, 200, in: host)
            // What grows at the beginning, or once, as a table that doubles, ends with growing. What leaks does not.
            var (growth, attempts) = (Int.max, 0)
            while growth > Self.growthLimit, attempts < 10 {
                growth = try await self.growth(of: route, 1000, in: host)
                attempts += 1
            }
            if growth > Self.growthLimit {
                faults.append(
                    "1,000 opens of \"\(route.name)\" leave \(growth) bytes behind each time: something outside of the scene keeps what it makes"
                )
            }
        }
        try await end(host)
        return faults
    }

    /// Opens a route many times, and returns by how many bytes the process has grown over it.
    private func growth(of route: Manifest.Route, _ count: Int, in host: Int) async throws(ViperError) -> Int {
        process.announce("open \(route.name)")
        let question = CheckQuestion.openOften(
            host: host, route: route.name, parameters: right(for: route), count: count)
        return try await process.ask(question, as: Int.self)
    }

    func faultsOfGenerations() async throws(ViperError) -> [String] {
        // Each host loads a copy of its own.
        let (first, second) = (try await host(), try await host())
        var faults: [String] = []
        if let type = try await make(in: first), type == (try await make(in: second)) {
            faults.append("both generations have the same types: the library was loaded once")
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
