import ViperKit

/// Returns the text as one line that is safe to print.
package func printable(_ text: String) -> String { text.replacingHarmfulScalars(keepingLines: false) }

/// Returns the text with its line feeds, safe to print otherwise.
package func printableLines(_ text: String) -> String { text.replacingHarmfulScalars(keepingLines: true) }
