import ViperKit

/// A new module's name, in all the forms that the generated files use.
struct ModuleName {
    /// The name of the Swift module, such as `ShoppingList`.
    let type: String

    /// The parts of the name, such as `Shopping` and `List`.
    private let words: [String]

    /// The name in kebab case, such as `shopping-list`. In the manifest, it is the name of the module and of the first
    /// route.
    var kebab: String { words.map { $0.lowercased() }.joined(separator: "-") }

    /// The prefix of the entry function's name, such as `shoppingList`.
    var function: String { words[0].lowercased() + words.dropFirst().joined() }

    /// The title that is shown on screens, such as `Shopping list`.
    var title: String { ([words[0]] + words.dropFirst().map { $0.lowercased() }).joined(separator: " ") }

    /// The maximum length of a name in bytes. The limit keeps the lines of the generated code short.
    private static let longest = 40

    /// Creates a module name after checking that it is valid and free.
    ///
    /// - Throws: `usage`, with a suggestion, if the name is invalid or already in use.
    init(_ text: String) throws(ViperError) {
        let suggestion = Self.suggestion(for: text)
        func refuse(_ cause: String) -> ViperError {
            ViperError(
                .usage, operation: "cannot use module name", subject: text, cause: cause,
                fix: "write host new \(suggestion ?? "ShoppingList")")
        }
        guard Self.isUpperCamelCase(text) else {
            throw refuse("expected letters and digits after a capital letter, such as ShoppingList")
        }
        guard text.utf8.count <= Self.longest else {
            throw refuse("it has \(text.utf8.count) characters, more than the limit of \(Self.longest)")
        }
        if let owner = Self.owner(of: text) { throw refuse(owner) }
        if text.hasSuffix("Tests") { throw refuse("names that end with Tests are reserved for tests") }
        (type, words) = (text, Self.words(of: text))
    }

    /// Creates a module name without checking it, such as that of a template.
    init(unchecked text: String) { (type, words) = (text, Self.words(of: text)) }

    private static func isUpperCamelCase(_ text: String) -> Bool {
        guard let first = text.utf8.first, isCapital(first) else { return false }
        return text.utf8.allSatisfy { isCapital($0) || isSmall($0) || isDigit($0) }
    }

    /// Splits a name into words at capital letters. An abbreviation is one word, so `HTTPProxy` is split into `HTTP`
    /// and `Proxy`.
    private static func words(of text: String) -> [String] {
        let letters = Array(text.utf8)
        var words: [[UInt8]] = []
        for (place, letter) in letters.enumerated() {
            let isAfterCapital = place > 0 && isCapital(letters[place - 1])
            let isBeforeSmall = place + 1 < letters.count && isSmall(letters[place + 1])
            if words.isEmpty || isCapital(letter) && (!isAfterCapital || isBeforeSmall) { words.append([]) }
            words[words.count - 1].append(letter)
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a valid name that is similar to a name that is invalid or already used, such as `ShoppingList` for
    /// `shopping-list` or `ScreenList` for `Screen`. Returns nil if no valid name can be derived.
    private static func suggestion(for text: String) -> String? {
        // Without its other letters, the name would be another word.
        if text.contains(where: { $0.isLetter && !$0.isASCII }) { return nil }
        let parts = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        var name = String(parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined().drop { $0.isNumber })
        name = name.prefix(1).uppercased() + name.dropFirst()
        if name.hasSuffix("Tests") { name.removeLast("Tests".count) }
        if owner(of: name) != nil { name += "List" }
        return isUpperCamelCase(name) && name.utf8.count <= longest && name != text ? name : nil
    }

    /// Returns a message that says what already uses the module's name or the name of its class. Returns nil if both
    /// names are free.
    private static func owner(of text: String) -> String? {
        if text.isEmpty { return nil }
        for (name, words) in [(text, "this name"), ("\(text)Module", "the name \(text)Module")] {
            let name = name.lowercased()
            if let owner = taken.first(where: { $0.names.contains { $0.lowercased() == name } })?.owner {
                return "\(owner) already uses \(words)"
            }
        }
        return nil
    }

    private static let taken: [(owner: String, names: [String])] = [
        (
            "this project",
            [
                "host", "soak", "ViperHost", "ViperKit", "ViperRuntime", "ViperTesting", "HostSystem", "JSONRPC",
                "DataProviders", "ModuleCatalog", "ModuleRuntime", "ModuleIsolation", "CSystem", "CSQLite", "CCurl",
                "CNcurses", "CMicroHTTPD", "CPostgreSQL",
                "TestSupport", "ModuleTestSupport", "HostDriver", "bench", TemplateKind.scene.placeholder.type,
            ] + TemplateKind.all.map(\.placeholder.type)
        ),
        (
            "Swift",
            [
                "Swift", "Builtin", "Foundation", "FoundationEssentials", "FoundationNetworking", "Testing", "XCTest",
                "Glibc",
                "Dispatch", "Observation", "Synchronization", "Distributed", "RegexBuilder", "Any", "Self", "Type",
                "Protocol", "Array", "Bool", "Character", "Codable", "Collection", "Decodable", "Dictionary", "Double",
                "Duration", "Encodable", "Equatable", "Error", "Hashable", "Identifiable", "Int", "Never", "Observable",
                "Optional", "Result", "Sendable", "Sequence", "Set", "String", "Substring", "Task", "UInt8", "Void",
            ]
        ),
        (
            "ViperKit",
            [
                "Action", "ActionID", "Alert", "Clock", "Configuration", "Credential", "Event", "Field", "FieldID",
                "Form", "Interactor", "Logger", "Module", "Navigator", "Presenter", "Record", "Registrar",
                "RouteRequest", "Row", "RowID", "Screen", "Section", "Transition", "View", "Wireframe",
            ]
        ),
        (
            "the generated code",
            [
                "Entry", "Item", "FormAction", "FormField", "ListAction", "FormView", "FormPresenter", "FormInteractor",
                "FormWireframe", "FormViewModel", "ListView", "ListPresenter", "ListInteractor", "ListWireframe",
                "MemoryProvider", "StoredRecord", "Heartbeat", "FrontEnd", "PageFile", "PageStoring", "ClosingGuard",
                "GuardSettings",
            ]
        ),
    ]
}

private func isCapital(_ letter: UInt8) -> Bool { (0x41...0x5A).contains(letter) }
private func isSmall(_ letter: UInt8) -> Bool { (0x61...0x7A).contains(letter) }
private func isDigit(_ letter: UInt8) -> Bool { (0x30...0x39).contains(letter) }
