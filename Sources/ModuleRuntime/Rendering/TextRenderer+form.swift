import HostSystem
import ViperKit

/// The fields of a form.
extension TextRenderer {
    func add(_ form: Form, to text: inout String) {
        let width = form.fields.map { displayWidth(label(of: $0)) }.max() ?? 0
        for field in form.fields {
            // A field is one line, also if its text has several.
            text += "  \(padded(label(of: field), to: width))   [\(field.visibleValue)]"
            if let placeholder = field.shownPlaceholder { text += "  " + style.dim("(\(placeholder))") }
            if let options = field.shownOptions { text += "  " + style.dim(options) }
            if let fallback = field.fallback { text += "  " + style.dim(fallback) }
            if let error = field.error { text += "  " + style.red("! \(printable(error))") }
            text += "\n"
            if let help = field.help { add(lines: help, to: &text, style.dim) }
        }
    }

    private func label(of field: Field) -> String { printable(field.label) + (field.isRequired ? " *" : "") }
}

extension Field {
    /// The text to show beside an empty field. In its place, it would look like a value. Nil if the field is filled in, or
    /// may be.
    fileprivate var shownPlaceholder: String? {
        value.isEmpty && !kind.isSecret ? placeholder.map { printable($0) } : nil
    }

    /// The texts that a user may enter, for a field with options. Nil for other fields.
    package var shownOptions: String? {
        switch kind {
        case .toggle: "(true or false)"
        case .choice, .choices:
            "("
                + options.map { option in
                    let id = printable(option.id)
                    return option.id == option.title ? id : "\(id): \(printable(option.title))"
                }.joined(separator: ", ") + ")"
        default: nil
        }
    }
}
