import HostSystem
import ModuleRuntime
import ViperKit

enum SessionCommand: Equatable {
    case show
    case act(Event)
    case ask([String])
    case back, home, help, quit

    /// The help text that lists a session's commands.
    static let helpText = """
        IN A SESSION
          NUMBER                   Select the row, or press the action, with this number
          ACTION                   Press the action with this ID
          press ACTION             Press the action with this ID, even if the ID is a
                                   number or a command
          select ROW               Select the row with this ID
          act ROW=ACTION           Press an action of the row with this ID
          fill FIELD=TEXT          Write text into a field
          fill [FIELD]             Ask for the text of one or all fields. An empty line
                                   keeps the text. A password is not shown.
          back                     Close the screen
          home                     Close all screens but the first
          help                     Show this list. An empty line shows the screen again.
          quit                     End the session, as Ctrl-D and Ctrl-C do
        """

    private enum Word: String, CaseIterable { case fill, press, select, act, back, home, help, quit }

    /// Creates a command by parsing a line.
    ///
    /// - Throws: `usage` if the line is not a valid command. If the screen has a secret field, the error does not quote
    ///   the line, because the line may contain the secret.
    init(_ line: String, on screen: Screen) throws(ViperError) {
        do {
            try self.init(understanding: line, on: screen)
        } catch {
            var error = error
            if screen.form?.fields.contains(where: \.kind.isSecret) == true { error.subject = "the line" }
            throw error
        }
    }

    /// Throws an error if the command sets a secret field, because the secret was visible on the terminal as the user
    /// typed it.
    func checkSecrecy(on screen: Screen) throws(ViperError) {
        guard case .act(.fill(let field, _)) = self,
            let secret = screen.form?.fields.first(where: { $0.id == field && $0.kind.isSecret })
        else { return }
        throw ViperError(
            .usage, operation: "cannot parse", subject: "the line",
            cause: secret.kind == .password
                ? "a password must not be typed visibly"
                : "a field of the unknown kind \"\(secret.kind.rawValue)\" may be a secret, which must not be typed visibly",
            fix: "write fill \(field), then enter the value at the prompt")
    }

    private init(understanding line: String, on screen: Screen) throws(ViperError) {
        let line = line.drop(while: \.isWhitespace)
        let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let rest = parts.count > 1 ? parts[1].drop(while: \.isWhitespace) : ""
        guard let first = parts.first else {
            self = .show
            return
        }
        guard let word = Word(rawValue: String(first)) else {
            self = .act(try Self.choice(Self.trimmed(line), on: screen))
            return
        }
        switch word {
        case .fill: self = try Self.fill(rest, on: screen)
        case .press: self = .act(.press(action: try Self.name(rest, after: "press ACTION")))
        case .select: self = .act(.select(row: try Self.name(rest, after: "select ROW")))
        case .act: self = try Self.act(rest)
        case .back: self = .back
        case .home: self = .home
        case .help: self = .help
        case .quit: self = .quit
        }
        if !rest.isEmpty, [.back, .home, .help, .quit].contains(self) {
            throw Self.wrong(Self.trimmed(line), "\(word.rawValue) takes no arguments")
        }
    }

    /// Returns the event that corresponds to the row or action with this number, or to the action with this ID.
    private static func choice(_ text: String, on screen: Screen) throws(ViperError) -> Event {
        if text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            let choices = screen.choices
            if let number = Int(text), choices.indices.contains(number - 1) { return choices[number - 1] }
            throw wrong(
                text,
                choices.isEmpty ? "the screen has no rows or actions" : "expected a number from 1 to \(choices.count)")
        }
        let actions = screen.ids(of: .alertAction) + screen.ids(of: .action)
        if actions.contains(text) { return .press(action: text) }
        let near = nearestNames(to: text, in: Set(Word.allCases.map(\.rawValue) + actions)).joined(separator: ", ")
        throw wrong(
            text, "unknown command or action; " + (near.isEmpty ? "help lists all commands" : "did you mean \(near)"))
    }

    private static func fill(_ rest: Substring, on screen: Screen) throws(ViperError) -> SessionCommand {
        if let separator = rest.firstIndex(of: "=") {
            // The string after `=` is used unchanged, including spaces.
            return .act(.fill(field: trimmed(rest[..<separator]), text: String(rest[rest.index(after: separator)...])))
        }
        let fields = screen.ids(of: .field)
        if fields.isEmpty { throw wrong("fill", "the screen has no fields") }
        if rest.isEmpty { return .ask(fields) }
        let field = trimmed(rest)
        guard fields.contains(field) else {
            throw wrong("fill \(field)", "unknown field, expected \(fields.joined(separator: ", "))")
        }
        return .ask([field])
    }

    private static func act(_ rest: Substring) throws(ViperError) -> SessionCommand {
        guard let separator = rest.lastIndex(of: "=") else { throw wrong("act", "expected act ROW=ACTION") }
        return .act(.act(row: trimmed(rest[..<separator]), action: trimmed(rest[rest.index(after: separator)...])))
    }

    private static func name(_ rest: Substring, after usage: String) throws(ViperError) -> String {
        if rest.isEmpty { throw wrong(String(usage.prefix { $0 != " " }), "expected \(usage)") }
        return trimmed(rest)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func wrong(_ subject: String, _ cause: String) -> ViperError {
        ViperError(.usage, operation: "cannot parse", subject: subject, cause: cause)
    }
}
