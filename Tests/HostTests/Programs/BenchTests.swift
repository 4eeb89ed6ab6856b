import Foundation
import HostDriver
import TestSupport
import Testing

/// The short form of `swift run bench`, from the build products. No result depends on the speed of the machine.
@Suite(.fewAtOnce, .hangLimit)
struct BenchTests {
    private struct Report: Decodable {
        struct Row: Decodable {
            struct Floor: Decodable {
                var name: String
                var cost: Double
            }

            struct Ratio: Decodable {
                var low, median, high: Double
            }

            struct Series: Decodable {
                var name: String
            }

            var subject: String
            var name: String
            var series: Series?
            var cost: Double
            var floor: Floor
            var ratio: Ratio
            var rounds: Int
        }

        var rows: [Row]
        var isQuick: Bool
    }

    private static func bench(_ words: String...) async throws -> ChildResult {
        try await ChildProcess(Products.folder + "/bench", words).run()
    }

    /// The folder of the charts of ``quick``. It is missing before.
    private static let charts = Result { try ScratchFolder() }.map { ($0, path: $0.path + "/new/charts") }
    /// The run of all subjects, which takes long.
    private static let quick = Task { try await bench("--quick", "--format", "json", "--plot", charts.get().path) }

    @Test("each row has a floor and a positive ratio", .long)
    func rows() async throws {
        let result = try await Self.quick.value
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let report = try JSONDecoder().decode(Report.self, from: result.output)
        #expect(report.isQuick)
        // With one processor, the rows of two are missing.
        let placements = ["one processor"] + (sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 ? ["two processors"] : [])
        let before = [
            "host run list, 500 people", "peak memory of host run list, 500 people",
            "host run list --via, 500 people", "host run list, 500 people in the library",
            "resolve a singleton", "prepare a service that is ready",
            "open and close a scene, on the main actor", "open and close a scene, from another task",
            "open an unwatched route, 100 guards", "open a watched route, 100 guards",
            "open and close one more than 1000 windows", "change one of 1000 windows",
            "look up one of 10 routes", "look up one of 1000 routes", "look up one of 100000 routes",
            "request one of 10 routes",
            "replace one of 10 modules", "replace one of 100 modules", "replace one of 1000 modules",
            "reconcile the version of one of 10 modules", "reconcile the version of one of 100 modules",
            "reconcile the version of one of 1000 modules",
            "reconcile the route of one of 10 modules", "reconcile the route of one of 100 modules",
            "reconcile the route of one of 1000 modules",
            "read and decode 1000 contributions",
            "handle an event", "count a call for the metrics", "validate and decode a manifest",
        ]
        let calls = placements.flatMap { placement in
            [
                "ping, \(placement)", "100 pings of each of 8 threads, \(placement)",
                "open and close a scene, \(placement)", "open and close a scene, module isolated, \(placement)",
            ]
        }
        let after = [
            "host --version", "host run list", "host routes, bundled modules",
            "the floor of these commands", "host run list, 100 locked modules",
            "host routes, 100 modules", "host run list, 100 modules", "host routes, 100 modules, first time",
            "first answer of a replaced module, 2 modules", "first answer of a replaced module, 20 modules",
            "removal of a module, 20 modules",
            "private memory of a loaded module", "private memory of a retired generation",
            "open one of 10 modules", "private memory of one of 10 loaded modules",
            "open one of 100 scenes", "private memory of one of 100 open scenes",

        ]
        // The row with jq is missing if jq is not installed.
        #expect(report.rows.map(\.name).filter { !$0.hasSuffix("jq") } == before + calls + after)
        for row in report.rows {
            #expect(!row.floor.name.isEmpty && row.rounds > 0, "\(row)")
            #expect(row.cost > 0 && row.floor.cost > 0, "\(row)")
            #expect(row.ratio.low > 0, "\(row)")
            #expect(row.ratio.low <= row.ratio.median && row.ratio.median <= row.ratio.high, "\(row)")
        }
        try expectDocumented(report.rows)
    }

    /// Checks that Performance.md has the subjects of the rows in their order, and names the charts.
    private func expectDocumented(_ rows: [Report.Row]) throws {
        let text = try Document(path: Document.catalogue + "/Performance.md").text
        func unique(_ names: [String]) -> [String] {
            names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        // A quick run leaves out `build`.
        let subjects = text.matches(of: #/\n\| `(\w+)` \|/#).map { String($0.1) }
        #expect(unique(subjects) == unique(rows.map(\.subject)) + ["build"])
        #expect(unique(subjects) == Self.subjects)
        let charts = text.split(separator: "- `").first { $0.hasPrefix("--plot DIR`") } ?? ""
        let names = charts.matches(of: #/`([a-z]+(?:-[a-z]+)+)`/#).map { String($0.1) }
        #expect(names == unique(rows.compactMap(\.series?.name)).map { $0.replacing(" ", with: "-") })
    }

    @Test("the table has a line for each row of the subjects that are named")
    func table() async throws {
        let result = try await Self.bench("events", "services", "--quick")
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0 != "" }
        #expect(lines.count == 5 && lines[0].hasPrefix("operation "), "\(result.text)")
        #expect(result.text.contains("This is a quick run with few rounds. Measure without --quick."))
    }

    @Test("A failed write of the results exits with 74", arguments: ["text", "json"])
    func fullDevice(format: String) async throws {
        var child = ChildProcess(Products.folder + "/bench", ["manifests", "--quick", "--format", format])
        child.output = .file("/dev/full")
        let result = try await child.run()
        #expect(result.ending == .code(74))
        #expect(result.errors == "bench: cannot write \"the output\": No space left on device\n")
    }

    @Test("--plot creates a missing folder, and writes a chart of each operation that is measured at several sizes")
    func plot() async throws {
        let result = try await Self.quick.value
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let folder = try Self.charts.get().path
        let charts = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        let names = ["look-up-a-route", "reconcile-a-route", "reconcile-a-version", "replace-a-module"]
        #expect(charts.isSuperset(of: names.map { $0 + ".svg" }), "\(charts)")
        // Three sizes of the operation, and three of the floor.
        let script = "import sys, xml.dom.minidom as m; print(len(m.parse(sys.argv[1]).getElementsByTagName('circle')))"
        let count = try await Python.process(["-c", script, folder + "/look-up-a-route.svg"]).run()
        #expect(count.ending == .code(0) && count.text == "6\n", "\(count)")
    }

    @Test("A folder for charts that cannot be written is an error before the first row is measured")
    func unusableFolder() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("text", to: "file")
        for (path, problem) in [
            (file, "cannot create folder \"\(file)\": File exists"),
            (file + "/charts", "cannot create folder \"\(file)/charts\": Not a directory"),
            ("/proc", "cannot write to folder \"/proc\": No such file or directory"),
        ] {
            // This subject has no chart.
            let result = try await Self.bench("manifests", "--quick", "--plot", path)
            #expect(result.ending == .code(74) && result.text == "", "\(result)")
            #expect(result.errors == "bench: \(problem)\n  fix: choose a folder that you can write to\n")
        }
    }

    @Test("A chart that cannot be written is an error after the results")
    func unusableChart() async throws {
        let folder = try ScratchFolder()
        let chart = folder.path + "/look-up-a-route.svg"
        try folder.write("", to: "look-up-a-route.svg/file")
        let result = try await Self.bench("routes", "--quick", "--plot", folder.path)
        #expect(result.ending == .code(74) && result.text.hasPrefix("operation "), "\(result)")
        #expect(result.errors.hasPrefix("bench: cannot write file \"\(chart)\": Is a directory\n"), "\(result)")
    }

    private static let subjects = [
        "people", "services", "scenes", "guards", "windows", "routes", "registry", "contributions", "events",
        "manifests", "calls", "commands", "live", "memory", "growth", "build",
    ]

    @Test("--help describes the subjects, the options and the duration", arguments: ["--help", "-h"])
    func help(option: String) async throws {
        let result = try await Self.bench(option)
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        let labels = lines.filter { $0.hasPrefix("  ") }.map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        let options = ["--format", "--plot", "--quick", "-h,"]
        #expect(labels.map(String.init) == ["bench"] + Self.subjects + options + ["bench"])
        #expect(result.text.contains("about eight minutes"))
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(result)")
    }

    @Test(
        "The error names an argument that is invalid",
        arguments: [
            (["nothing"], "nothing\": unknown subject\n  fix: see bench --help"),
            (["events", "route"], "route\": unknown subject\n  fix: write routes"),
            (["--quack"], "--quack\": unknown option\n  fix: write --quick"),
            (["--format", "xml"], "--format xml\": unknown format\n  fix: write text or json"),
            (["--format"], "--format\": its value is missing\n  fix: write --format text|json"),
            (["--plot"], "--plot\": its value is missing\n  fix: write --plot DIR"),
        ])
    func usage(words: [String], problem: String) async throws {
        let result = try await ChildProcess(Products.folder + "/bench", words).run()
        #expect(result.ending == .code(64) && result.text == "", "\(result)")
        #expect(result.errors == "bench: cannot parse \"\(problem)\n")
    }
}
