import Glibc
import HostSystem
import ViperKit

/// The end of a command that a signal ends while it changes files. The command leaves no unfinished files.
enum CleanEnd {
    /// Handles SIGHUP, SIGINT, SIGQUIT and SIGTERM from now on.
    ///
    /// - Throws: ``ViperError/Code/resourceMissing`` if the thread that handles signals cannot be started.
    static func prepare() throws(ViperError) {
        let ignored = ignoredSignals()
        try Signals.handle { number in
            EndingSignal.note(number)
            ForcedExit.exit(128 + number) {
                UninterruptedWork.end()
                PrivateFolder.removeAll()
            }
        }
        // The parent process, such as nohup, has chosen that these signals do not end the command.
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] where ignored & 1 << (UInt64(number) - 1) != 0 {
            signal(number, SIG_IGN)
        }
    }

    /// Returns the signals that this process ignores. Bit `n - 1` stands for signal `n`.
    private static func ignoredSignals() -> UInt64 {
        let status = KernelFile.read("/proc/self/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
        return line.flatMap { UInt64($0.dropFirst("SigIgn:".utf8.count).filter { !$0.isWhitespace }, radix: 16) } ?? 0
    }
}
