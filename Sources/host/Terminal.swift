import FoundationEssentials
import Glibc
import ViperKit
import ViperRuntime

/// Standard output and standard error.
enum Terminal {
    /// Colour on a terminal that can show it, unless the user has said no: https://no-color.org.
    static var style: TextStyle {
        let environment = ProcessInfo.processInfo.environment
        let isOff = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
        return TextStyle(isColoured: isatty(STDOUT_FILENO) == 1 && !isOff)
    }

    /// Puts something under standard input, output and error where the caller has closed them, so that no file that is
    /// opened later gets their number, and what is meant for them. Writing there fails.
    static func claimStandardDescriptors() {
        // open takes the lowest free number.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes all of a text in as few system calls as the receiver allows.
    static func write(_ text: String, to descriptor: Int32) throws(ViperError) {
        var text = text
        let failure = text.withUTF8 { bytes -> Int32 in
            var written = 0
            while written < bytes.count {
                // The buffer has bytes left, so it has a base address.
                let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
                if count < 0, errno == EINTR { continue }
                if count < 0 { return errno }
                written += count
            }
            return 0
        }
        if failure != 0 {
            throw ViperError(.outputFailed, "cannot write", "the output", cause: String(cString: strerror(failure)))
        }
    }
}
