package import ViperKit

/// A program that the host runs until it exits, such as a compiler or another host.
package struct Subprocess: Sendable {
    package enum Output: Sendable {
        /// The host's own standard output and standard error, without buffering.
        case inherited
        /// The result, with standard output and standard error separate. Bytes beyond the limit of each are read and
        /// discarded.
        case captured(limit: Int)
    }

    package enum Ending: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
        /// The program reached its time limit. The host killed it with its process group.
        case overdue
    }

    package struct Result: Sendable {
        package var ending: Ending
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
    }

    /// A path, or a name to find in `PATH`.
    package var program: String
    package var arguments: [String]
    /// Variables to set in addition to the host's environment.
    package var environment: [String: String] = [:]
    package var workingFolder: String?
    package var output = Output.inherited
    /// True if the program's standard input is a pipe from the host. The pipe closes even if the host crashes, so that
    /// the program can exit. If false, standard input is empty.
    package var isTiedToHost = false
    /// The maximum running time. A program with a limit runs in its own process group, which Ctrl-C does not reach.
    package var timeLimit: Duration?

    package init(_ program: String, _ arguments: [String]) { (self.program, self.arguments) = (program, arguments) }

    /// Runs the program without blocking a thread. The result reports how the program ended; an exit code or a signal
    /// is not an error.
    ///
    /// - Throws: ``ViperError/Code/programFailed`` if the program cannot be started.
    package func run() async throws(ViperError) -> Result { await (try RunningSubprocess(self)).result() }
}
