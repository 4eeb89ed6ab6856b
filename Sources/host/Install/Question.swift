import Glibc
import HostSystem
import ViperKit

/// A question that a command asks on the terminal before it changes anything.
struct Question: Sendable {
    private let text: String
    /// True if the user has agreed before, with `--yes`.
    private let isConfirmed: Bool

    init(_ text: String, isConfirmed: Bool) { (self.text, self.isConfirmed) = (text, isConfirmed) }

    /// Checks that there is an answer or somebody to ask.
    func check() throws(ViperError) { if isatty(STDIN_FILENO) == 0 { try checkConfirmed() } }

    func checkConfirmed() throws(ViperError) {
        if isConfirmed { return }
        throw invalidArgument("--yes", "it is missing, and there is no terminal to ask on", fix: "give --yes")
    }

    /// Shows a text, asks, and returns true if the user agrees.
    func isAnswered(byShowing facts: String) async throws(ViperError) -> Bool {
        try Terminal.write(facts, to: STDOUT_FILENO)
        if isConfirmed { return true }
        try Terminal.write("\(text) [y/N] ", to: STDOUT_FILENO)
        // Reading blocks the thread.
        let answer = await BlockingWork.run { readLine() }
        return ["y", "yes"].contains(answer?.lowercased())
    }
}
