import HostSystem
import ViperKit

/// The fields of a form.
extension TextRenderer {
    func add(_ form: Form, to text: inout String) {
        let width = form.fields.map { displayWidth(label(of: $0)) }.max() ?? 0
        for field in form.fields {
            text += "  \(padded(label(of: field), to: width))   [\(shownValue(of: field))]"
            if let options = field.shownOptions { text += "  " + style.dim(options) }
            if let fallback = field.fallback { text += "  " + style.dim(fallback) }
            if let error = field.error { text += "  " + style.red("! \(printable(error))") }
            text += "\n"
            if let help = field.help { add(lines: help, to: &text, style.dim) }
        }
    }

    private func label(of field: Field) -> String { printable(field.label) + (field.isRequired ? " *" : "") }

    private func shownValue(of field: Field) -> String {
        if field.value.isEmpty, !field.kind.isSecret, let placeholder = field.placeholder {
            return style.dim(printable(placeholder))
        }
        // A field is one line, also if its text has several.
        return field.visibleValue
    }
}

extension Field {
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
