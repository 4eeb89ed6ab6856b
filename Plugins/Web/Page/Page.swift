import ViperKit

/// A page's facts that the window's state does not contain.
struct PageContext: Sendable {
    /// The number of the window.
    var window: Int
    /// The text that each form carries, as proof that this server has made it.
    var token: String
    /// The text that tells a form's page apart.
    var nonce: String
    /// The path and query of the page.
    var address: String
    /// A line above the content. Nil for none.
    var notice: String?
}

/// A stand-in.
enum Page {
    static func document(_ state: WindowState, _ context: PageContext) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>\(escaped(state.screen.title))</title>
        <link rel="stylesheet" href="/_web/web.css"><script src="/_web/web.js" defer></script></head>
        <body>\(content(state, context))</body></html>

        """
    }

    static func content(_ state: WindowState, _ context: PageContext) -> String {
        let screen = state.screen
        var text = "<main id=\"screen\" data-address=\"\(escaped(context.address))\">\n"
        if let notice = context.notice { text += "<p class=\"notice\">\(escaped(notice))</p>\n" }
        text += "<h1>\(escaped(screen.title))</h1>\n"
        if let line = screen.text { text += "<p>\(escaped(line))</p>\n" }
        text += "<form method=\"post\" action=\"/_window/\(context.window)\">"
        text += "<input type=\"hidden\" name=\"token\" value=\"\(escaped(context.token))\">"
        text += "<input type=\"hidden\" name=\"nonce\" value=\"\(escaped(context.nonce))\">\n"
        for field in screen.form?.fields ?? [] {
            text += "<label>\(escaped(field.label)) <input name=\"field.\(escaped(field.id))\" "
            text += "value=\"\(escaped(submitted(field)))\"></label>\n"
            if let error = field.error { text += "<p class=\"error\">\(escaped(error))</p>" }
        }
        for action in screen.actions + (screen.alert?.actions ?? []) {
            text += "<button name=\"press\" value=\"\(escaped(action.id))\">\(escaped(action.title))</button>\n"
        }
        for row in screen.sections.flatMap(\.rows) {
            text += "<button name=\"select\" value=\"\(escaped(row.id))\">\(escaped(row.columns.joined(separator: " ")))"
            text += "</button>\n"
        }
        text += "<button name=\"back\" value=\"1\">Back</button></form></main>\n"
        return text
    }

    static func problem(_ title: String, _ text: String, status: Int) -> String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title></head>
        <body><main><h1>\(escaped(title))</h1><p>\(escaped(text))</p><p><a href="/">Start</a></p></main></body></html>

        """
    }

    /// Returns the text that a browser submits for a field that the user has not changed.
    static func submitted(_ field: Field) -> String { field.kind.isSecret ? "" : field.value }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "<": result += "&lt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
