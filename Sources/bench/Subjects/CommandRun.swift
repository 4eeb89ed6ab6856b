import Foundation
import HostDriver

/// A subject that measures complete runs of `host` in a root that has many modules and an index.
enum CommandRun: Subject {
    static let name = "commands"
    static let summary = "Complete runs of host, with up to 1,000 modules"

    private static let sizes = [100, 1_000]

    static func trials(_ effort: Effort) async throws -> [Trial] {
        let (one, small) = (try ScratchRoot(), try await root(8))
        let line = loop(floor: "line", one.path)
        // The program with the least start: it links nothing but libc.
        let least = loop(ChildProcess("echo", ["a line"]), nil)
        // The modules, settings and libraries of this package, as somebody who has built it lists them.
        let checkout = ChildProcess(
            Products.host, ["routes", "--root", Products.repository], environment: one.environment)
        let file = "\(one.path)/Plugins/CompanyList/Resources/company.json"
        var trials = [
            Trial(
                "host --version", .processorTime, floor: "a program that prints a line",
                subject: loop(["--version"], one), by: line),
            Trial(
                "host run list", .processorTime, floor: "a program that decodes, groups and prints the same",
                subject: loop(["run", "list"], one), by: loop(floor: "list", file)),
            Trial(
                "host routes, bundled modules", .processorTime, floor: "a program that prints a line",
                subject: loop(checkout, nil), by: line),
            Trial(
                "the floor of these commands", .processorTime, floor: "echo, which links only libc",
                subject: line, by: least),
        ]
        for size in effort == .quick ? [100] : sizes {
            let (large, locked) = (try await root(size), try await root(size, isLocked: true))
            trials.append(
                Trial(
                    "host run list, \(size) locked modules", floor: "the same without a lock",
                    subject: loop(["run", "list"], locked), by: loop(["run", "list"], large)))
            for words in [["routes"], ["run", "list"]] {
                let command = words.joined(separator: " ")
                trials.append(
                    Trial(
                        "host \(command), \(size) modules",
                        in: .init(name: "run host \(command)", unit: "modules", size: size),
                        floor: "the same with 8 modules", subject: loop(words, large), by: loop(words, small)))
            }
            trials.append(
                Trial(
                    "host routes, \(size) modules, first time",
                    floor: "a program that validates and decodes the manifests",
                    subject: loop(["routes"], large, cache: "/proc/nonexistent"),
                    by: loop(floor: "manifests", large.path + "/Manifests")))
        }
        return trials
    }

    /// Returns a root with the given number of modules. If there are at least 50 modules, the host has an index of the
    /// root.
    ///
    /// - Parameter isLocked: True to lock the modules to their libraries.
    private static func root(_ count: Int, isLocked: Bool = false) async throws -> ScratchRoot {
        let root = try ScratchRoot()
        let first = "\(root.path)/Plugins/libM1.so"
        // The root already contains one bundled module, which provides the route `list`.
        try root.copy("\(Products.folder)/libCompanyList.so", to: "libM1.so")
        for number in 1..<count {
            let library = "libM\(number).so"
            try root.add(ManifestText("m\(number)", library: library, routes: ["a\(number)", "b\(number)"]))
            if number == 1 { continue }
            // Hard links take no space, and the host cannot tell them from copies.
            try FileManager.default.linkItem(atPath: first, toPath: "\(root.path)/Plugins/\(library)")
        }
        if isLocked, try await root.host("lock").ending != .code(0) { throw UnexpectedResult("host lock failed") }
        // Run the host until its index no longer changes, because the host does not index files that have changed
        // within the last two seconds.
        let folder = root.cache + "/viper-host"
        let isReady = try await eventually {
            let before = indexes(in: folder)
            guard try await root.host("routes").ending == .code(0) else { return false }
            return count < 50 || !before.isEmpty && before == indexes(in: folder)
        }
        if !isReady { throw UnexpectedResult("the host has no index of \(count) modules") }
        return root
    }

    /// Returns the contents of the files in a cache folder.
    private static func indexes(in folder: String) -> [Data] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { try? Data(contentsOf: URL(filePath: "\(folder)/\($0)")) }
    }

    /// Returns a closure that runs the host.
    ///
    /// - Parameter cache: The user's cache folder. Nil for a folder that contains an index.
    private static func loop(_ words: [String], _ root: ScratchRoot, cache: String? = nil) -> Loop {
        let environment = root.environment.merging(["XDG_CACHE_HOME": cache ?? root.cache]) { $1 }
        return loop(ChildProcess(root.executable, words + ["--root", root.path], environment: environment), root)
    }

    /// Returns a closure that runs this package's program `floor`.
    static func loop(floor work: String, _ path: String) -> Loop {
        loop(ChildProcess(Products.folder + "/floor", [work, path]), nil)
    }

    /// Returns a closure that runs a program.
    static func loop(_ child: ChildProcess, _ root: ScratchRoot?) -> Loop {
        { count in
            var successes = 0
            for _ in 0..<count {
                let result = try await child.run()
                if result.ending == .code(0), !result.output.isEmpty { successes += 1 }
            }
            withExtendedLifetime(root) {}
            return successes
        }
    }
}
