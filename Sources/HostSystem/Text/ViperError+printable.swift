package import ViperKit

/// Returns a copy of the error in which each string is one line that is safe to print. This prevents a string from
/// imitating another line of the error.
package func printable(_ error: ViperError) -> ViperError {
    ViperError(
        error.code, operation: printable(error.operation), subject: printable(error.subject),
        cause: printable(error.cause),
        notes: error.notes.map { .init(printable($0.label), printable($0.text)) },
        fix: error.fix.map { printable($0) })
}
