package import ViperKit

/// A program that the host runs until it exits, such as a compiler or another host.
package struct Subprocess: Sendable {
    package enum Output: Sendable {
        /// The program writes directly to the host's standard output and standard error.
        case inherited
        /// The result contains standard output and standard error separately. The limit in bytes applies to each
        /// output. Bytes beyond the limit are read and discarded.
        case captured(limit: Int)
        /// The program writes its standard output to an open file, and the result contains standard error. The program
        /// then creates no file itself, which would be left behind if the host is killed.
        case written(to: Int32, limit: Int)
    }

    package enum Ending: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
        /// The program reached its time limit, and the host killed its process group.
        case overdue

        /// Returns the cause to show in an error if the program was killed, or nil if it exited.
        package func termination(of program: String) -> String? {
            switch self {
            case .code: nil
            case .signal(let number): "\(program) was terminated by signal \(number)"
            case .overdue: "\(program) timed out"
            }
        }
    }

    package struct Result: Sendable {
        package var ending: Ending
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
    }

    /// The program's path, or its name if the program is in `PATH`.
    package var program: String
    package var arguments: [String]
    /// The environment variables to set in addition to the host's environment.
    package var environment: [String: String] = [:]
    package var workingFolder: String?
    package var output = Output.inherited
    /// True if the program's standard input is a pipe from the host. The program can exit when the pipe closes, which
    /// also happens if the host crashes. If false, standard input is empty.
    package var isTiedToHost = false
    /// True if the program reads from the host's standard input, such as an editor at the host's terminal.
    package var inheritsInput = false
    /// The maximum running time. A program with a time limit runs in its own process group, which Ctrl-C does not
    /// reach. Nil for no limit.
    package var timeLimit: Duration?

    package init(_ program: String, _ arguments: [String]) { (self.program, self.arguments) = (program, arguments) }

    /// Runs the program without blocking a thread. If the program exits with a nonzero code or is killed by a signal,
    /// the result contains the code or the signal, and this method does not throw.
    ///
    /// - Throws: ``ViperError/Code/programFailed`` if the program cannot be started.
    package func run() async throws(ViperError) -> Result { await (try RunningSubprocess(self)).result() }
}
