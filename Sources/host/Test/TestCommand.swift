import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import Synchronization
import ViperKit
import ViperRuntime

/// `host test MODULE|FILE.so`: runs checks on a built module, each in its own process.
///
/// For each check, the command starts this program again with `--stdio`. The child process answers a single call over
/// its standard input and output: it runs the check, and returns the faults that it found.
struct TestCommand: Command {
    /// The name of a module, or the path of a library.
    var target = ""
    /// The values of the routes' parameters.
    var texts: [String: [String]] = [:]
    /// The checks to run. If empty, all checks run.
    var checks: [ModuleCheck] = []
    /// The time limit for each check, in seconds.
    var timeLimit = 60.0
    /// True if this process runs a single check for its parent.
    var isAtStandardIO = false
    var host = HostOptions()
    var format = Format.text

    static let name = "test"
    static let summary = "Run checks on a built module"
    static let example = "test people --check memory"
    static let operands = [Operand("MODULE|FILE.so", \Self.target)]
    static let parameters: (any WritableKeyPath<Self, [String: [String]]> & Sendable)? = \Self.texts
    static let options =
        [
            Option("--stdio", summary: "Run a check of another host test") { $0.isAtStandardIO = true }.hidden(),
            Option("--check", value: "CHECK", summary: "Run only this check", isRepeatable: true) {
                command, name throws(ViperError) in
                guard let check = ModuleCheck(rawValue: name) else {
                    let all = ModuleCheck.allCases.map(\.rawValue).joined(separator: ", ")
                    throw invalidArgument("--check \(name)", "unknown check", fix: "write one of \(all)")
                }
                command.checks.append(check)
            },
            Option("--time-limit", value: "SECONDS", summary: "Limit the time of each check", fallback: "60") {
                command, text throws(ViperError) in
                guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
                    throw invalidArgument(
                        "--time-limit \(text)", "expected seconds above 0, up to 86400",
                        fix: "write a number such as 60")
                }
                command.timeLimit = seconds
            },
        ] + (HostOptions.inRoot + [HostOptions.data, HostOptions.set, HostOptions.use]).map { $0.at(\Self.host) }
        + [Format.option.at(\.format)]
    static let changesFiles = true
    static let details =
        """
        Each check has its own process. If the module crashes there or exceeds the time limit, the check fails. The \
        module gets a temporary state folder and no network. NAME=VALUE is used for each route with that parameter; \
        other required parameters get allowed values, such as 1, sample and true. A module that can use http-client is \
        not checked as a data provider, because checks have no network.

        If all checks pass, the exit code is 0, otherwise 1. A module can behave differently under test.

        CHECKS
        \(ModuleCheck.allCases.map { Help.row($0.rawValue, $0.promise) }.joined().dropLast())
        """

    func output() async throws -> String {
        // Reserve the descriptors before any other code can print.
        let connection = isAtStandardIO ? try StandardIO.take() : nil
        let bench = try await TestBench(target, host.configuration())
        defer { bench.remove() }
        if let connection {
            await CheckedModule(bench.manifest, given: texts, in: bench.configuration)
                .answer(reading: connection.reading, writing: connection.writing)
            return ""
        }
        try checkParameters(of: bench.manifest)
        // Otherwise, an error in the settings would fail each check.
        _ = try ViperHost(bench.configuration)
        var outcomes: [Outcome] = []
        for check in checks.isEmpty ? ModuleCheck.allCases : checks {
            outcomes.append(
                check.concerns(bench.manifest)
                    ? try await outcome(of: check, on: bench)
                    : Outcome(check: check, promise: check.promise, faults: [], isIdle: true))
        }
        let report = Report(module: bench.manifest.name, version: bench.manifest.version, checks: outcomes)
        try Terminal.write(
            format == .json ? renderJSON(report) : report.text(Terminal.style), to: STDOUT_FILENO)
        let failed = outcomes.filter { !$0.passed }.count
        if failed > 0 {
            throw ViperError(
                .checkFailed, operation: "cannot verify module", subject: bench.manifest.name,
                cause: "\(failed) of \(outcomes.count) checks failed")
        }
        return ""
    }

    /// Throws an error if no route of the module has a given parameter.
    private func checkParameters(of manifest: Manifest) throws(ViperError) {
        let known = Set(manifest.routes.flatMap { $0.parameters.map(\.name) })
        guard let name = texts.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw invalidArgument(
            name, "no route of \(manifest.name) has this parameter",
            fix: known.isEmpty ? "remove it" : "write one of \(known.sorted().joined(separator: ", "))")
    }

    private func outcome(of check: ModuleCheck, on bench: TestBench) async throws(ViperError) -> Outcome {
        let errors = Errors()
        let outcome = try await Trial.check(
            bench.manifest.name, ["--stdio"] + CommandLine.arguments.dropFirst(), ModuleCheckCall(check),
            as: [String].self, within: .seconds(timeLimit),
            // The check's temporary files are in the bench's folder, so they are removed even if the check is killed.
            temporaryFolder: bench.folder,
            environment: WorkerEnvironment(
                adding: bench.configuration.settings.workerEnvironment.union(["VIPER_ROOT"])),
            line: errors.add)
        switch outcome {
        case .passed(let faults): return Outcome(check: check, promise: check.promise, faults: faults)
        case .refused(let error): return Outcome(check: check, promise: check.promise, faults: [error.fault])
        case .died(let step, let end):
            return Outcome(
                check: check, promise: check.promise, faults: ["\(Self.fault(end.ending)); last step: \(step)"],
                errors: errors.text)
        }
    }

    private static func fault(_ ending: WorkerEnding) -> String {
        switch ending {
        case .overdue(let limit): "the check took longer than \(limit.inSeconds)"
        case .strayMessage:
            "the process \(ending.description): a module must write only to descriptors that it opened"
        default: "the process \(ending.description)"
        }
    }

    /// The beginning of a process's standard error, which usually shows the first problem.
    private final class Errors: Sendable {
        private static let limit = 1 << 12
        private let kept = Mutex("")
        var text: String { kept.withLock { $0 } }

        func add(_ line: String) {
            kept.withLock { kept in
                let room = Self.limit - kept.utf8.count
                if room > 0 { kept += String(decoding: "\(line)\n".utf8.prefix(room), as: UTF8.self) }
            }
        }
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
                text += outcome.faults.map(Self.lines).joined()
                let lines = outcome.errors.map { $0.split(separator: "\n").prefix(10) } ?? []
                text += lines.map { "          | \(printable(String($0)))\n" }.joined()
            }
            return text
        }

        /// Returns the lines of a fault. The lines after the first are indented further.
        private static func lines(of fault: String) -> String {
            let lines = fault.split(whereSeparator: \.isNewline).map { printable(String($0)) }
            return lines.enumerated().map { "          \($0 == 0 ? "" : "  ")\($1)\n" }.joined()
        }
    }
}
