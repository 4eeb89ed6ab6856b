import FoundationEssentials
import Glibc
import HostDriver
import HostSystem

/// `bench`: measures the host's operations, and compares each operation with a floor. See ``Trial``.
@main
struct Bench {
    private static var subjects: [any Subject.Type] {
        [
            // The peak memory of a child process includes that of this process, which is still small.
            LargeFile.self,
            ServiceResolution.self, SceneLife.self, GuardedOpen.self, OpenWindows.self, RouteLookup.self,
            RegistryUpdate.self, ContributionReading.self, SceneEvent.self, ManifestDecoding.self, RoundTrip.self,
            CommandRun.self,
            Replacement.self, ModuleMemory.self, ServingGrowth.self, CommandBuild.self,
        ]
    }

    @MainActor
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()), subjects: subjects.map { $0.name })
            if options.showsHelp { return try write(Help.text(subjects)) }
            let signals = EndingSignals()
            defer { withExtendedLifetime(signals) {} }
            try await run(options)
        } catch {
            EndingSignals.waitIfEnding()
            (error as? Failure ?? Failure(ofRow: error)).end()
        }
    }

    @MainActor
    private static func run(_ options: Options) async throws {
        let charts = try options.plot.map { try ChartFolder($0) }
        // Hosts in this process and in its children write only to folders that are removed with this process.
        let scratch = try ScratchFolder()
        setenv("TMPDIR", scratch.path, 1)
        defer { withExtendedLifetime(scratch) {} }
        var rows: [ReportRow] = []
        for subject in subjects where options.subjects.isEmpty || options.subjects.contains(subject.name) {
            for trial in try await subject.trials(options.effort) {
                rows.append(ReportRow(subject.name, trial, try await trial.run(options.effort)))
            }
        }
        let report = Report(rows: rows, isQuick: options.effort == .quick)
        try write(try options.format == .json ? report.json() + "\n" : report.text() + "\n")
        try charts?.write(Chart.charts(of: rows))
    }

    private static func write(_ text: String) throws {
        if let error = writeAll(text, to: STDOUT_FILENO) {
            throw Failure.output("cannot write", "the output", systemReason(error))
        }
    }
}
