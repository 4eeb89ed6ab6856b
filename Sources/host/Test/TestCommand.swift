import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host test MODULE|FILE.so`: runs checks on a built module, each in its own process.
///
/// For each check, the command starts this program again with `--stdio`. The child process loads the module and answers
/// requests over its standard input and output. The parent process sends the requests and determines the outcome.
struct TestCommand {
    let options: Options

    func output() async throws -> String {
        // Reserve the descriptors before any other code can print.
        let questions = options.isAtStandardIO ? try StandardIO.take() : nil
        let bench = try await TestBench(options.operands[0], options)
        defer { bench.remove() }
        if let questions {
            await CheckSubject(bench.manifest.name, in: bench.configuration)
                .answer(reading: questions.reading, writing: questions.writing)
            return ""
        }
        var outcomes: [Outcome] = []
        for check in options.checks.isEmpty ? ModuleCheck.allCases : options.checks {
            outcomes.append(
                check.concerns(bench.manifest)
                    ? try await outcome(of: check, on: bench)
                    : Outcome(check: check, promise: check.promise, faults: [], isIdle: true))
        }
        let report = Report(module: bench.manifest.name, version: bench.manifest.version, checks: outcomes)
        try Terminal.write(
            options.format == .json ? renderJSON(report) : report.text(Terminal.style), to: STDOUT_FILENO)
        let failed = outcomes.filter { !$0.passed }.count
        if failed > 0 {
            throw ViperError(
                .checkFailed, operation: "cannot verify module", subject: bench.manifest.name,
                cause: "\(failed) of \(outcomes.count) checks failed")
        }
        return ""
    }

    private func outcome(of check: ModuleCheck, on bench: TestBench) async throws(ViperError) -> Outcome {
        let inherited = WorkerEnvironment(adding: bench.configuration.settings.workerEnvironment.union(["VIPER_ROOT"]))
        let process = try CheckProcess(
            "/proc/self/exe", ["--stdio"] + CommandLine.arguments.dropFirst(),
            // The check's temporary files are in the bench's folder, so they are removed even if the check is killed.
            environment: inherited.variables.merging(["TMPDIR": bench.folder]) { $1 },
            timeLimit: .seconds(options.timeLimit))
        let faults = await CheckedModule(bench.manifest, given: options.parameters, in: process).faults(in: check)
        let end = await process.finish()
        return Outcome(
            check: check, promise: check.promise, faults: end.fault.map { [$0] } ?? faults,
            errors: end.fault == nil ? nil : end.errors)
    }

    private struct Outcome: Encodable {
        var check: ModuleCheck
        var promise: String
        var faults: [String]
        /// True if the check does not apply to the module.
        var isIdle = false
        /// The process's error output. Nil if the process ended normally.
        var errors: String?

        var passed: Bool { faults.isEmpty }
    }

    private struct Report: Encodable {
        var module: String
        var version: String
        var checks: [Outcome]

        func text(_ style: TextStyle) -> String {
            var text = style.bold("\(module) \(version)") + "\n"
            for outcome in checks {
                text += outcome.isIdle ? "  -       " : outcome.passed ? "  passed  " : style.red("  FAILED  ")
                text += "\(outcome.check.rawValue): \(outcome.promise)\n"
                text += outcome.faults.map { "          \(printable($0))\n" }.joined()
                let lines = outcome.errors.map { $0.split(separator: "\n").prefix(10) } ?? []
                text += lines.map { "          | \(printable(String($0)))\n" }.joined()
            }
            return text
        }
    }
}
