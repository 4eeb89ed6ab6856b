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

    /// The commands in the order in which the help lists them.
    static let commands: [any Command.Type] = [
        RunCommand.self, ServeCommand.self, DevCommand.self, RoutesCommand.self, ModulesCommand.self,
        ServicesCommand.self, QuarantineCommand.self, NewCommand.self, BuildCommand.self, TestCommand.self,
        InspectCommand.self, PackCommand.self, InstallCommand.self, RemoveCommand.self, RollbackCommand.self,
        EnableCommand.self, DisableCommand.self, ReloadCommand.self, CheckCommand.self, WhyCommand.self,
        GraphCommand.self, MetricsCommand.self, LockCommand.self, ExportCommand.self,
        CompletionCommand.self,
    ]

    static func main() {
        if CommandLine.arguments.dropFirst().first == Supervisor.command { Supervisor.run() }
        StandardDescriptors.claim()
        if let text = Completion.answer(to: CommandLine.arguments, commands) { finish(text) }
        // A parent process may have started the host with SIGCHLD ignored. The kernel would then discard the exit
        // status of children.
        signal(SIGCHLD, SIG_DFL)
        do {
            try checkEncoding()
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), commands: commands)
            // Print the version and the help without starting Swift's concurrency runtime, which needs several threads.
            if arguments.showsVersion { finish("host \(version) (ViperKit \(SDK.version))\n") }
            guard let type = arguments.command else { finish(try Help.overview(arguments, of: commands)) }
            if arguments.showsHelp { finish(Help.text(for: type)) }
            let command = try type.init(arguments)
            try checkThreads(command)
            Task { await run(command) }
            dispatchMain()
        } catch {
            fail(error)
        }
    }

    /// Throws an error if an argument is not valid UTF-8. Swift replaces the invalid bytes, so a path would name another
    /// file.
    private static func checkEncoding() throws(ViperError) {
        for (index, argument) in CommandLine.arguments.enumerated() where argument.unicodeScalars.contains("\u{FFFD}") {
            // The C strings of the process, which are valid until it ends.
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw invalidArgument(argument, "it is not valid UTF-8", fix: "rename the file, or write another text")
        }
    }

    /// Throws an error if a command could wait forever for a thread.
    private static func checkThreads(_ command: any Command) throws(ViperError) {
        do { try ThreadRoom.check(for: command.threads) } catch {
            // If a worker exited with a code, its host would blame the module.
            if let command = command as? ServeCommand, command.isWorker { EndingSignal.note(SIGTERM) }
            throw error
        }
    }

    private static func run(_ command: any Command) async {
        do {
            if type(of: command).changesFiles { try CleanEnd.prepare() }
            finish(try await command.output())
        } catch {
            fail(error)
        }
    }

    private static func finish(_ text: String) -> Never {
        do {
            if !text.isEmpty { try Terminal.write(text, to: STDOUT_FILENO) }
            LogOutput.exit(0)
        } catch {
            fail(error)
        }
    }

    private static func fail(_ error: any Error) -> Never {
        let error =
            error as? ViperError
            ?? ViperError(.outputFailed, operation: "cannot print", subject: "the result", cause: "\(error)")
        if LogOutput.isJSON {
            LogOutput.write("host: error: \(error.summary)\(error.fix.map { "; \($0)" } ?? "")")
        } else {
            // If writing to standard error also fails, only the exit code reports the error.
            try? Terminal.write(ErrorReport(error: error).text, to: STDERR_FILENO)
        }
        EndingSignal.endProcess()
        LogOutput.exit(ExitCode(error.code.kind).rawValue)
    }
}
