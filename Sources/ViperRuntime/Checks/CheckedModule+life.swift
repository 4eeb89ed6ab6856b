import CSystem
import ViperKit

/// What is opened goes again, and disturbs nobody.
extension CheckedModule {
    func faultsOfMemory() async throws(ViperError) -> [String] {
        let (host, manifest, file) = try await host()
        let outliving = ObjectGraph(of: [try await host.module(fromManifest: file)].compactMap(\.self))
        var faults: [String] = []
        for route in manifest.routes {
            // What outlives the first open and is there again in the second is shared: a service, a cache. What a scene keeps
            // alive is another object each time.
            let first = try await graph(of: route, in: host)
            let second = try await graph(of: route, in: host)
            faults += second.subtracting(outliving).subtracting(first).living.map {
                "\($0) is alive after \"\(route.name)\" closed: make the reference back to it weak"
            }
        }
        await host.shutDown()
        return faults
    }

    private func graph(of route: Manifest.Route, in host: ViperHost) async throws(ViperError) -> ObjectGraph {
        var graph = ObjectGraph(of: [])
        try await open(route, in: host) { window in graph = ObjectGraph(of: window.scenes.compactMap(\.view)) }
        return graph
    }

    /// What 1,000 opens may leave behind, in bytes: less than one of the smallest objects, 16 bytes, for each.
    private static let growthLimit = 15_000

    func faultsOfGrowth() async throws(ViperError) -> [String] {
        let (host, manifest, _) = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            // Caches are filled, and every kind of memory has been used.
            for _ in 0..<200 { try await open(route, in: host) }
            // What grows at the beginning, or once, as a table that doubles, ends with growing. What leaks does not.
            var (growth, attempts) = (Int.max, 0)
            while growth > Self.growthLimit, attempts < 10 {
                let before = Self.allocatedMemory()
                for _ in 0..<1000 { try await open(route, in: host) }
                (growth, attempts) = (Self.allocatedMemory() - before, attempts + 1)
            }
            if growth > Self.growthLimit {
                faults.append(
                    "1,000 opens of \"\(route.name)\" leave \(growth) bytes behind each time: something outside of the scene keeps what it makes"
                )
            }
        }
        await host.shutDown()
        return faults
    }

    func faultsOfGenerations() async throws(ViperError) -> [String] {
        let (first, manifest, firstFile) = try await host()
        // Each host loads a copy of its own.
        let (second, _, secondFile) = try await host()
        let modules = (
            try await first.module(fromManifest: firstFile), try await second.module(fromManifest: secondFile)
        )
        var faults: [String] = []
        if let first = modules.0, let second = modules.1, type(of: first) == type(of: second) {
            faults.append("both generations have the same types: the library was loaded once")
        }
        for host in [first, second, first] {
            for route in manifest.routes { faults += await self.faults(route, in: host) }
        }
        await first.shutDown()
        for route in manifest.routes { faults += await self.faults(route, in: second) }
        await second.shutDown()
        return faults
    }

    /// What is allocated in this process, in bytes, over all threads.
    private static func allocatedMemory() -> Int {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }
}
