import Glibc
import HostSystem
import ViperKit
import ViperRuntime

/// The front end that draws the session of a command, and the host whose module provides it.
struct ScreenFrontEnd {
    let frontEnd: any TerminalFrontEnd
    let host: ViperHost
    private let isOwnHost: Bool

    /// Finds the front end for a command.
    ///
    /// Returns nil if the session reads lines: the command says so, the output is not a terminal that can be drawn on, or no
    /// module provides a front end. If one provides it but cannot be used, a warning says why.
    ///
    /// - Parameter host: The host of the command. Nil with `--via`; the front end is then a module of this user's root,
    ///   because the other host may be far from the terminal.
    init?(of command: RunCommand, _ host: ViperHost?) async {
        guard command.format == .text, !command.isPlain, Terminal.canBeDrawnOn else { return nil }
        do throws(ViperError) {
            if let host {
                (self.host, isOwnHost) = (host, false)
            } else {
                let configuration = try HostOptions().configuration()
                let own = try ViperHost(configuration)
                await own.handleCrashes(configuration)
                (self.host, isOwnHost) = (own, true)
            }
        } catch {
            // A host at another place can be used without a root here.
            return nil
        }
        do throws(ViperError) {
            if let frontEnd = try await self.host.provided(.terminalFrontEnd) {
                self.frontEnd = frontEnd
                return
            }
        } catch {
            LogOutput.write("host: warning: this session reads lines: \(error.summary)")
        }
        if isOwnHost { await self.host.shutDown() }
        return nil
    }

    /// Shuts down the host of the front end, if it has no other purpose.
    func end() async { if isOwnHost { await host.shutDown() } }
}

extension Terminal {
    /// True if standard input and output are a terminal on which a front end can draw.
    fileprivate static var canBeDrawnOn: Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
        let type = environmentVariable("TERM") ?? ""
        return !type.isEmpty && type != "dumb"
    }
}
