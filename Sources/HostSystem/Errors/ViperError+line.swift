package import ViperKit

extension ViperError {
    /// The error as a single line, with its notes and its fix.
    package var fault: String {
        summary + notes.map { "; \($0.label): \($0.text)" }.joined() + (fix.map { "; fix: \($0)" } ?? "")
    }
}
