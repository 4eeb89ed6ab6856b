import Foundation
import HostDriver

/// `soak`: tests the built host under difficult conditions, and prints one line of measurements for each scenario.
@main
struct Soak {
    private static var scenarios: [any Scenario.Type] {
        [
            Replace.self, Kill.self, StopTree.self, Disk.self, Inotify.self, Descriptors.self, Latency.self,
            Endurance.self, Postgres.self, Logins.self, Streams.self, Shares.self, Pages.self,
        ]
    }

    static func main() async {
        // With SIGPIPE ignored, writing to a host that has exited returns an error instead of ending this process.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == Caller.word { await Caller.run(arguments.dropFirst()) }
        let names = arguments.filter { !$0.hasPrefix("--") }
        let options = Set(arguments.filter { $0.hasPrefix("--") })
        let known = scenarios.map { $0.name }
        guard options.isSubset(of: ["--short", "--built"]), Set(names).isSubset(of: known) else {
            say("usage: soak [\(known.joined(separator: "|"))…] [--short] [--built]", to: .standardError)
            exit(64)
        }
        let signals = EndingSignals()
        defer { withExtendedLifetime(signals) {} }
        do {
            if !options.contains("--built") { try await HostBuild.run() }
        } catch {
            EndingSignals.waitIfEnding()
            say("soak: \(error)", to: .standardError)
            exit(70)
        }
        var hasFailed = false
        for scenario in scenarios where names.isEmpty || names.contains(scenario.name) {
            let begin = ContinuousClock.now
            var line = scenario.name.padding(toLength: 12, withPad: " ", startingAt: 0)
            do {
                line += "ok      " + (try await scenario.run(isShort: options.contains("--short")))
            } catch let missing as NotShown {
                line += "skipped " + missing.description
            } catch {
                EndingSignals.waitIfEnding()
                hasFailed = true
                line += "FAILED  \(error)"
            }
            say("\(line) (\(((ContinuousClock.now - begin) / .seconds(1)).shown(1)) s)", to: .standardOutput)
        }
        exit(hasFailed ? 1 : 0)
    }

    /// Writes a line without buffering, because a reader may be waiting for it.
    static func say(_ line: String, to file: FileHandle) {
        // If the reader has exited, the output is not needed.
        try? file.write(contentsOf: Data("\(line)\n".utf8))
    }
}
