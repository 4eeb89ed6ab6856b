package import ViperKit

/// The error with each of its texts as one line that is harmless to print. A text cannot pass for another line of the error.
package func printable(_ error: ViperError) -> ViperError {
    ViperError(
        error.code, printable(error.what), printable(error.subject), cause: printable(error.cause),
        notes: error.notes.map { .init(printable($0.label), printable($0.text)) },
        mend: error.mend.map { printable($0) })
}
