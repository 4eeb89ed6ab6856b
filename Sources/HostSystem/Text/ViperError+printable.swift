package import ViperKit

/// Returns the error with each of its texts as one line that is safe to print. No text can then imitate another line of
/// the error.
package func printable(_ error: ViperError) -> ViperError {
    ViperError(
        error.code, printable(error.what), printable(error.subject), cause: printable(error.cause),
        notes: error.notes.map { .init(printable($0.label), printable($0.text)) },
        recoverySuggestion: error.recoverySuggestion.map { printable($0) })
}
