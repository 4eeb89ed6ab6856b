import Foundation
import Glibc
import HostDriver
import HostSystem
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

/// The index of a root with many manifests.
@Suite(.hangLimit)
struct CatalogIndexTests {
    private let scratch: ScratchFolder
    private let root: Root
    private var cache: String { scratch.path + "/cache/viper-host" }

    init() throws {
        scratch = try ScratchFolder()
        root = Root(path: scratch.path + "/root", executableFolder: "/nonexistent")
        for number in 0...CatalogIndex.threshold { try write(number) }
    }

    private func write(_ number: Int, summary: String = "") throws {
        let text = manifestText("m\(number)", routes: ["r\(number)"]).replacing("Of ", with: "\(summary) of ")
        try scratch.write(text, to: "root/Manifests/m\(number).json")
    }

    /// Reads the root as a new process would, and saves the index.
    ///
    /// - Returns: The catalog, and the number of manifests that were read.
    private func read(settlingTime: Duration = .zero) throws -> (catalog: Catalog, count: Int) {
        let (index, log) = try index(of: root, settlingTime: settlingTime)
        let catalog = try Catalog(reading: root, with: index)
        index.save()
        return (catalog, try log.count())
    }

    private func index(
        of root: Root, settlingTime: Duration = .zero
    ) throws -> (CatalogIndex, Log) {
        let log = Log()
        let logger = LineLogger(source: "host", minimum: .debug) { log.add($0) }
        let index = CatalogIndex(of: root, in: cache, settlingTime: settlingTime, logger: logger)
        return (try #require(index), log)
    }

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        /// Returns the number of manifests that were read.
        func count() throws -> Int {
            let counts = lines.withLock { $0 }.compactMap { $0.firstMatch(of: /read (\d+) manifests/)?.1 }
            let count = try #require(counts.last)
            return try #require(Int(count))
        }
    }

    private func file() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: cache)
        #expect(names.count == 1)
        return "\(cache)/\(try #require(names.first))"
    }

    /// Checks that a catalog equals one that was created without an index.
    private func expectEqual(_ catalog: Catalog) throws {
        let expected = try Catalog(reading: root)
        #expect(catalog.entries.map(\.file) == expected.entries.map(\.file))
        #expect(catalog.entries.map { try? $0.manifest.get() } == expected.entries.map { try? $0.manifest.get() })
    }

    @Test("The first process reads all manifests, and the next ones only those that have changed")
    func changes() throws {
        let all = CatalogIndex.threshold + 1
        #expect(try read().count == all)
        #expect(try read().count == 0)
        try write(3, summary: "new")
        try scratch.write("{", to: "root/Manifests/m4.json")
        try FileManager.default.removeItem(atPath: root.manifests + "/m5.json")
        try write(all)
        var (catalog, count) = try read()
        #expect(count == 3)
        try expectEqual(catalog)
        let entry = try #require(catalog.entries.first { $0.file == "Manifests/m3.json" })
        #expect(try entry.manifest.get().routes[0].summary == "new of m3")
        // An invalid manifest is read each time, so that its error is complete.
        (catalog, count) = try read()
        #expect(count == 1)
        try expectEqual(catalog)
    }

    @Test("A file with the same size and modification time is read again after its content has changed")
    func sameSize() throws {
        try write(3, summary: "a")
        _ = try read()
        let path = root.manifests + "/m3.json"
        var before = stat()
        try #require(stat(path, &before) == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let changed = Array(text.replacing("a of", with: "b of").utf8)
        var after = before
        // The change time has the resolution of the kernel's clock.
        while after.st_ctim.tv_sec == before.st_ctim.tv_sec && after.st_ctim.tv_nsec == before.st_ctim.tv_nsec {
            try #require(pwrite(descriptor, changed, changed.count, 0) == changed.count)
            try #require(futimens(descriptor, [before.st_atim, before.st_mtim]) == 0)
            try #require(fstat(descriptor, &after) == 0)
        }
        let (catalog, count) = try read()
        #expect(count == 1)
        try expectEqual(catalog)
    }

    @Test("A file that has changed within the settling time is not indexed")
    func recent() throws {
        #expect(try read(settlingTime: .seconds(86_400)).count == CatalogIndex.threshold + 1)
        #expect(!FileManager.default.fileExists(atPath: cache))
        _ = try read()
        #expect(try read(settlingTime: .seconds(86_400)).count == CatalogIndex.threshold + 1)
    }

    @Test("The facts outside the root are settled only after they have been unchanged for the given time")
    func settled() {
        let sources = IndexSources(of: root)
        #expect(sources.areSettled(for: .zero))
        // Longer than any file on this machine has been unchanged.
        #expect(!sources.areSettled(for: .seconds(10_000_000_000)))
    }

    @Test("A process that reads the root again drops removed files from the index")
    func removed() throws {
        let (index, _) = try index(of: root)
        _ = try Catalog(reading: root, with: index)
        index.save()
        // Above the threshold, so that the index stays in use.
        for number in 0..<3 { try write(CatalogIndex.threshold + 1 + number) }
        try FileManager.default.removeItem(atPath: root.manifests + "/m5.json")
        _ = try Catalog(reading: root, with: index)
        index.save()
        let again = try Data(contentsOf: URL(filePath: try file()))
        try FileManager.default.removeItem(atPath: try file())
        _ = try read()
        #expect(try Data(contentsOf: URL(filePath: try file())) == again)
    }

    @Test("A symbolic link is never indexed, because a link on its way can change without the file")
    func link() throws {
        let path = root.manifests + "/m3.json"
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path + "/m3.json")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: scratch.path + "/m3.json")
        _ = try read()
        #expect(try read().count == 1)
    }

    @Test("An empty, truncated or changed index costs only time, and is replaced")
    func damaged() throws {
        _ = try read()
        let file = try file()
        let whole = try Data(contentsOf: URL(filePath: file))
        var damaged = [Data(), Data("{}".utf8), Data(repeating: 0xFF, count: 100_000), whole + Data([0])]
        for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 20)) {
            var changed = whole
            changed[place] ^= 0x10
            damaged += [whole.prefix(place), changed]
        }
        for content in damaged {
            try content.write(to: URL(filePath: file))
            let (catalog, count) = try read()
            #expect(count == CatalogIndex.threshold + 1)
            try expectEqual(catalog)
            #expect(try read().count == 0)
        }
    }

    @Test("An index of other trusted users is discarded")
    func otherSources() throws {
        _ = try read()
        let other = Root(path: root.path, executableFolder: "/nonexistent", trust: root.trust.trusting([12345]))
        let (index, log) = try index(of: other)
        _ = try Catalog(reading: other, with: index)
        #expect(try log.count() == CatalogIndex.threshold + 1)
    }

    @Test("No folder is created in a folder that other users can change, or without a home folder")
    func badParent() throws {
        for (parent, mode) in [("open/.cache", 0o777 as mode_t), ("missing/home/.cache", 0)] {
            if mode != 0 {
                try scratch.write("", to: "open/file")
                try #require(chmod(scratch.path + "/open", mode) == 0)
            }
            let log = Log()
            let logger = LineLogger(source: "host", minimum: .debug) { log.add($0) }
            let path = "\(scratch.path)/\(parent)/viper-host"
            let index = try #require(CatalogIndex(of: root, in: path, settlingTime: .zero, logger: logger))
            _ = try Catalog(reading: root, with: index)
            index.save()
            #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/\(parent)"))
        }
    }

    @Test("Files of killed hosts and old indexes are removed when an index is written")
    func leftovers() throws {
        let names = ["a.index", "b.index", "c.index.1.2", "d.index.1.2", "notes.txt"]
        for (name, age) in zip(names, [91 * 86_400, 86_400, 120, 0, 91 * 86_400] as [Double]) {
            let path = try scratch.write("", to: "cache/viper-host/\(name)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
        }
        try #require(chmod(cache, 0o700) == 0)
        _ = try read()
        let left = try FileManager.default.contentsOfDirectory(atPath: cache).filter { $0.utf8.count < 20 }
        #expect(left.sorted() == ["b.index", "d.index.1.2", "notes.txt"])
    }

    @Test("A cache folder that other users can change, or that cannot be written, is not used")
    func badFolder() throws {
        _ = try read()
        try #require(chmod(cache, 0o777) == 0)
        #expect(try read().count == CatalogIndex.threshold + 1)
        try FileManager.default.removeItem(atPath: cache)
        try scratch.write("a file", to: "cache/viper-host")
        #expect(try read().count == CatalogIndex.threshold + 1)
    }

    @Test("A small root has no index")
    func small() throws {
        try FileManager.default.removeItem(atPath: root.manifests + "/m0.json")
        let (index, _) = try index(of: root)
        _ = try Catalog(reading: root, with: index)
        index.save()
        #expect(!FileManager.default.fileExists(atPath: cache))
    }

    @Test("A process that reads its root again reads only what has changed, without the index file")
    func again() throws {
        let (index, log) = try index(of: root)
        for expected in [CatalogIndex.threshold + 1, 0, 0] {
            try expectEqual(try Catalog(reading: root, with: index))
            #expect(try log.count() == expected)
        }
        try write(3, summary: "new")
        try FileManager.default.removeItem(atPath: root.manifests + "/m5.json")
        try write(CatalogIndex.threshold + 1)
        try expectEqual(try Catalog(reading: root, with: index))
        #expect(try log.count() == 2)
    }

    @Test("Many writers at once leave one complete index")
    func atOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { _ = try read() } }
            try await group.waitForAll()
        }
        _ = try file()
        #expect(try read().count == 0)
    }
}
