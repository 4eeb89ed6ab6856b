import Glibc
import ViperKit

/// What is opened goes again, and disturbs nobody.
extension CheckedModule {
    func faultsOfMemory() async throws(ViperError) -> [String] {
        let (host, manifest, file) = try await host()
        let outliving = ObjectGraph(of: [try await host.module(fromManifest: file)])
        var faults: [String] = []
        for route in manifest.routes {
            var graph: ObjectGraph?
            try await open(route, in: host) { window in
                graph = ObjectGraph(of: window.scenes.compactMap(\.view)).subtracting(outliving)
            }
            faults += (graph?.living ?? []).map {
                "\($0) is alive after \"\(route.name)\" closed: make the reference back to it weak"
            }
        }
        await host.shutDown()
        return faults
    }

    /// What 1,000 opens may leave behind: allocators keep some pages, a leak of two kilobytes a scene is more.
    private static let growthLimit = 2 << 20

    func faultsOfGrowth() async throws(ViperError) -> [String] {
        let (host, manifest, _) = try await host()
        var faults: [String] = []
        for route in manifest.routes {
            // Caches are filled, and every kind of memory has been used.
            for _ in 0..<200 { try await open(route, in: host) }
            let before = Self.residentMemory()
            for _ in 0..<1000 { try await open(route, in: host) }
            let growth = Self.residentMemory() - before
            if growth > Self.growthLimit {
                faults.append("1,000 opens of \"\(route.name)\" leave \(growth >> 10) KiB behind")
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
        if type(of: modules.0) == type(of: modules.1) {
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

    /// The process's memory in bytes, as the kernel counts it (proc(5), statm).
    private static func residentMemory() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
