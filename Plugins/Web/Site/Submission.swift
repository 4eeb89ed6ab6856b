import ViperKit

/// A submitted form of a page.
struct Submission: Sendable {
    /// The button that was pressed.
    enum Button: Sendable, Equatable {
        case event(Event)
        case back
        /// The script reports the text of one field while the user types.
        case fill(String)
        /// No button was pressed.
        case none
    }

    let token: String
    /// Nil if the form has no valid number.
    let page: PageNumber?
    let button: Button
    /// The values of the fields, by ID.
    private let values: [String: [String]]
    /// The digests of the values that the page has shown, by the fields' IDs.
    private let shown: [String: String]

    /// The lease of the bytes. It ends when the form is executed.
    private let lease: Lease?

    private static let prefix = "field."
    private static let shownPrefix = "shown."

    /// Creates a submission from the body of a request. Returns nil if the body is not a form.
    init?(_ request: Request) {
        guard let form = FormBody(request.body) else { return nil }
        lease = request.lease
        token = form["token"].first ?? ""
        page = form["nonce"].first.flatMap(PageNumber.init)
        var values: [String: [String]] = [:]
        for (name, value) in form.pairs where name.hasPrefix(Self.prefix) {
            values[String(name.dropFirst(Self.prefix.count)), default: []].append(Self.normal(value))
        }
        self.values = values
        let shown = form.pairs.filter { $0.name.hasPrefix(Self.shownPrefix) }
        self.shown = Dictionary(shown.map { (String($0.name.dropFirst(Self.shownPrefix.count)), $0.value) }) { $1 }
        button = form.pairs.compactMap(Self.button).first ?? .none
    }

    private static func button(_ name: String, _ value: String) -> Button? {
        switch name {
        case "press": .event(.press(action: value))
        case "select": .event(.select(row: value))
        case "back": .back
        case "fill": .fill(value)
        default: name.hasPrefix("act.") ? .event(.act(row: value, action: String(name.dropFirst(4)))) : nil
        }
    }

    /// Returns a text with the line breaks that screens use. A browser sends CR LF.
    private static func normal(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\r")) else { return text }
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if !(scalar == "\n" && isAfterReturn) { scalars.append(scalar == "\r" ? "\n" : scalar) }
            isAfterReturn = scalar == "\r"
        }
        return String(scalars)
    }

    /// Returns the events of the submission, in order: a `fill` for each field that the user has changed, and the event of
    /// the button.
    func events(on screen: Screen) -> [Event] {
        var events: [Event] = []
        for field in screen.form?.fields ?? [] {
            if case .fill(let id) = button, id != field.id { continue }
            guard let value = value(of: field), value != Page.submitted(field) else { continue }
            // The module has changed the field since, and the user has not.
            if shown[field.id] == Page.digest(of: value) { continue }
            events.append(.fill(field: field.id, text: value))
        }
        if case .event(let event) = button { events.append(event) }
        return events
    }

    /// Returns the submitted value of a field. Nil if the submission lacks it.
    private func value(of field: Field) -> String? {
        guard let values = values[field.id] else { return nil }
        return field.kind == .choices ? values.filter { !$0.isEmpty }.joined(separator: ",") : values.last
    }
}
