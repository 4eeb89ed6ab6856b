import Dispatch
import FoundationEssentials
import Glibc
import ViperKit
import ViperRuntime

/// `host test MODULE|FILE.so`: holds a built module against checks, each in a process of its own.
///
/// The process that checks is this program again, told by `$VIPER_CHECK` which check to do, and by `$VIPER_CHECK_RESULT` into which
/// file its result goes: on standard output a module may write what it likes.
struct TestCommand {
    let options: Options

    func output() async throws -> String {
        let bench = try TestBench(options.operands[0], options)
        defer { bench.remove() }
        let environment = ProcessInfo.processInfo.environment
        if let check = environment["VIPER_CHECK"].flatMap(ModuleCheck.init),
            let file = environment["VIPER_CHECK_RESULT"]
        {
            endWithParent()
            let module = await CheckedModule(
                bench.module, in: bench.configuration, given: options.parameters, announce: LastStep(file).write)
            let faults = try await module.faults(in: check)
            try renderJSONLine(faults).write(toFile: file, atomically: true, encoding: .utf8)
            return ""
        }
        var outcomes: [Outcome] = []
        for check in options.checks.isEmpty ? ModuleCheck.allCases : options.checks {
            outcomes.append(
                check.needsRoutes && !bench.hasRoutes
                    ? Outcome(check: check, promise: check.promise, faults: [], isIdle: true)
                    : try await outcome(of: check, on: bench))
        }
        let report = Report(module: bench.module, version: bench.version, checks: outcomes)
        try Terminal.write(
            options.format == .json ? renderJSON(report) : report.text(Terminal.style), to: STDOUT_FILENO)
        let failed = outcomes.filter { !$0.passed }.count
        if failed > 0 {
            throw ViperError(
                .checkFailed, "cannot vouch for module", bench.module,
                cause: "it fails \(failed) of \(outcomes.count) checks")
        }
        return ""
    }

    /// Ends this process when the one that started it does: a module that hangs must not go on for ever without anybody.
    private func endWithParent() {
        DispatchQueue(label: "parent").async {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            _exit(EXIT_FAILURE)
        }
    }

    private func outcome(of check: ModuleCheck, on bench: TestBench) async throws(ViperError) -> Outcome {
        var child = Subprocess("/proc/self/exe", Array(CommandLine.arguments.dropFirst()))
        let file = "\(bench.folder)/\(check.rawValue).json"
        // Whatever it leaves behind when it is killed goes with this process's folder.
        child.environment = [
            "VIPER_CHECK": check.rawValue, "VIPER_CHECK_RESULT": file, "TMPDIR": bench.folder,
            "SWIFT_BACKTRACE": "color=no",
        ]
        // What it writes is shown when something goes wrong, and the beginning says what.
        child.output = .captured(limit: 1 << 12)
        child.isTiedToHost = true
        child.timeLimit = .seconds(options.timeLimit)
        let result = try await child.run()
        let step = LastStep(file).read()
        let content = try? Data(contentsOf: URL(filePath: file))
        let faults = content.flatMap { try? JSONDecoder().decode([String].self, from: $0) }
        let ending: String? =
            switch result.ending {
            case .code(0) where faults != nil: nil
            case .code(let code): "the process ended by itself with \(code)"
            case .signal(let signal):
                "the process was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
            case .overdue: "it took longer than \(options.timeLimit) s"
            }
        return Outcome(
            check: check, promise: check.promise,
            faults: (ending.map { ["\($0)\(step.map { "; the last thing that was done: \($0)" } ?? "")"] } ?? [])
                + (faults ?? []),
            errors: ending == nil ? nil : String(decoding: result.errors, as: UTF8.self))
    }

    /// What came of one check.
    private struct Outcome: Encodable {
        var check: ModuleCheck
        var promise: String
        var faults: [String]
        /// Whether the module has nothing that the check could look at.
        var isIdle = false
        /// What the process has said, when it did not end as it should.
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
