package import ViperKit

/// A program that the host runs to its end: a compiler, or another host.
package struct Subprocess: Sendable {
    /// Where what the program writes goes.
    package enum Output: Sendable {
        /// To where the host's own goes, and so as it comes.
        case inherited
        /// Into the result, both outputs apart, of each at most this many bytes; what comes after them is read and dropped.
        case captured(limit: Int)
    }

    /// How the program ended.
    package enum Ending: Equatable, Sendable {
        case code(Int32)
        case signal(Int32)
        /// It was killed, with all that it had started, because its time was over.
        case overdue
    }

    /// What came of it.
    package struct Result: Sendable {
        package var ending: Ending
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
    }

    /// A path, or a name that is looked up in `PATH`.
    package var program: String
    package var arguments: [String]
    /// Set in addition to the host's own environment.
    package var environment: [String: String] = [:]
    package var workingFolder: String?
    package var output = Output.inherited
    /// Whether its standard input ends when the host does, however that ends; else it is empty. A program that watches it then need not
    /// outlive the host.
    package var isTiedToHost = false
    /// How long it may take. A program with a limit is in a process group of its own, which Ctrl-C does not reach.
    package var timeLimit: Duration?

    package init(_ program: String, _ arguments: [String]) { (self.program, self.arguments) = (program, arguments) }

    /// Runs the program. Waiting for it holds no thread.
    ///
    /// - Throws: ``ViperError/Code/programFailed`` if it cannot be started. How it ends is no error.
    package func run() async throws(ViperError) -> Result { await (try RunningSubprocess(self)).result() }
}
