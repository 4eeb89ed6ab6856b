import Dispatch
import Glibc
import HostSystem
import ModuleIsolation
import ViperKit

/// The main program. It parses the command line, runs one command, and reports an error with a message and an exit
/// code.
@main
struct HostCommand {
    static let version = "0.1.0"

    static func main() {
        if CommandLine.arguments.dropFirst().first == Supervisor.command { Supervisor.run() }
        StandardDescriptors.claim()
        // A parent process may have started the host with SIGCHLD ignored. The kernel would then discard the exit
        // status of children.
        signal(SIGCHLD, SIG_DFL)
        do {
            let options = try Options(parsing: Array(CommandLine.arguments.dropFirst()))
            if let command = options.command, !options.showsHelp, !options.showsVersion {
                Task { await run(command, options) }
                dispatchMain()
            }
            // Print the version and the help without starting Swift's concurrency runtime, which needs several threads.
            finish(try information(for: options))
        } catch {
            fail(error)
        }
    }

    private static func run(_ command: Command, _ options: Options) async {
        do { finish(try await output(of: command, options)) } catch { fail(error) }
    }

    private static func finish(_ text: String) -> Never {
        do {
            if !text.isEmpty { try Terminal.write(text, to: STDOUT_FILENO) }
            LogOutput.exit(0)
        } catch {
            fail(error)
        }
    }

    private static func information(for options: Options) throws -> String {
        if options.showsVersion { return "host \(version) (ViperKit \(SDK.version))\n" }
        guard let command = options.command else { return try Help.overview(options) }
        return Help.text(for: command)
    }

    private static func output(of command: Command, _ options: Options) async throws -> String {
        switch command {
        case .run: return try await RunCommand(options: options).output()
        case .serve: return try await ServeCommand(options: options).output()
        case .routes: return try await RoutesCommand(options: options).output()
        case .modules: return try await ModulesCommand(options: options).output()
        case .new: return try NewCommand(options: options).output()
        case .build: return try await BuildCommand(options: options).output()
        case .inspect: return try await InspectCommand(options: options).output()
        case .pack: return try await PackCommand(options: options).output()
        case .test: return try await TestCommand(options: options).output()
        case .services: return try await ServicesCommand(options: options).output()
        case .quarantine: return try QuarantineCommand(options: options).output()
        case .dev: return try await DevCommand(options: options).output()
        }
    }

    private static func fail(_ error: any Error) -> Never {
        let error =
            error as? ViperError
            ?? ViperError(.outputFailed, operation: "cannot print", subject: "the result", cause: "\(error)")
        // If writing to standard error also fails, only the exit code reports the error.
        try? Terminal.write("host: \(printable(error))\n", to: STDERR_FILENO)
        LogOutput.exit(ExitCode(error.code).rawValue)
    }
}
