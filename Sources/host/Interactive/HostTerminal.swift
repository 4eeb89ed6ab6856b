import Glibc
import HostSystem
import ViperKit

/// The terminal of this process, as a front end uses it.
struct HostTerminal: LentTerminal {
    let window: any OpenWindow
    let notices: AsyncStream<TerminalNotice>

    var input: Int32 { STDIN_FILENO }
    var output: Int32 { STDOUT_FILENO }

    func run(_ command: [String]) async throws(ViperError) {
        guard let name = command.first else { return }
        var program = Subprocess(name, Array(command.dropFirst()))
        program.inheritsInput = true
        TerminalLoan.setForeign(true)
        defer { TerminalLoan.setForeign(false) }
        let ending = try await program.run().ending
        if ending == .code(0) { return }
        let cause = if case .code(let code) = ending { "it exited with code \(code)" } else { "it was killed" }
        throw ViperError(.programFailed, operation: "cannot run", subject: name, cause: cause)
    }
}
