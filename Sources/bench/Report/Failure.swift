import Glibc
import HostSystem
import ViperKit

/// An error that ends `bench`. The exit codes are those of `host`, which are defined in sysexits.h.
struct Failure: Error {
    /// The exit code.
    let code: Int32
    /// The text to print on standard error, without the program's name.
    let text: String

    private init(_ code: Int32, _ error: ViperError) { (self.code, text) = (code, "\(printable(error))") }

    /// Creates a failure from an error that a row has thrown (EX_SOFTWARE).
    init(ofRow error: any Error) { (code, text) = (70, "\(error)") }

    /// Returns the failure that an argument is invalid (EX_USAGE).
    static func usage(_ argument: String, _ cause: String, fix: String) -> Failure {
        Failure(
            64,
            ViperError(
                .init("usage", .usage), operation: "cannot parse", subject: argument, cause: cause, fix: fix))
    }

    /// Returns a failure to write output (EX_IOERR).
    static func output(
        _ operation: String, _ subject: String, _ cause: String, fix: String? = nil
    ) -> Failure {
        Failure(
            74,
            ViperError(
                .init("output-failed", .output), operation: operation, subject: subject, cause: cause, fix: fix))
    }

    /// Prints the error, and ends the process.
    func end() -> Never {
        // If writing to standard error also fails, only the exit code reports the error.
        _ = writeAll("bench: \(text)\n", to: STDERR_FILENO)
        exit(code)
    }
}
