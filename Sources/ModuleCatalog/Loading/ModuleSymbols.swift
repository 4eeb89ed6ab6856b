import Glibc
import HostSystem
import ViperKit

/// The symbols of a Swift module's declarations, as the libraries that use the module need them.
struct ModuleSymbols {
    /// The name of the Swift module.
    let module: String
    private let prefix: String
    private let extensionMark: String

    static let viperKit = ModuleSymbols(of: "ViperKit")

    init(of module: String) {
        self.module = module
        // Mangled names contain the module as "8ViperKit".
        (prefix, extensionMark) = ("$s\(module.utf8.count)\(module)", "\(module.utf8.count)\(module)E")
    }

    /// Returns the declarations of the module that a library needs and that are missing, as notes for an error.
    ///
    /// - Parameters:
    ///   - undefined: The symbols that the library needs.
    ///   - isDefined: Returns true if the module's library defines a symbol.
    func missing(_ undefined: [String], isDefined: (String) -> Bool) -> [ViperError.Note] {
        let names = declarations(undefined.filter { mayDeclare($0) && !isDefined($0) })
        return Self.notes(names, "missing")
    }

    /// Returns notes that name the first five symbols, and count the others.
    static func notes(_ names: [String], _ label: String) -> [ViperError.Note] {
        names.prefix(5).map { .init(label, $0) }
            + (names.count > 5 ? [.init(label, "and \(names.count - 5) more")] : [])
    }

    /// Returns the module's declarations in a list of mangled names, in Swift syntax, sorted and without duplicates.
    func declarations(_ symbols: [String]) -> [String] {
        // One declaration can have several symbols. Async function pointers (Tu) and method descriptors (Tq) exist in
        // addition to the declaration's own symbol. A dispatch thunk (Tj) replaces that symbol.
        let telling = symbols.filter { !$0.hasSuffix("Tu") && !$0.hasSuffix("Tq") }
        return Set((telling.isEmpty ? symbols : telling).map(Self.declaration)).filter(declares).sorted()
    }

    /// Returns true if a mangled name starts with the module, or belongs to an extension that the module declares.
    ///
    /// A name that only refers to the module's types comes from another library. However, extensions and conformances
    /// that other libraries declare for the module's types also have names that start with the module.
    /// ``declares(_:)`` excludes these names.
    func mayDeclare(_ symbol: String) -> Bool {
        if symbol.hasPrefix(prefix) { return true }
        // This fast test comes first, because a library has thousands of names, which are checked each time its module
        // starts.
        if strstr(symbol, extensionMark) == nil { return false }
        let bytes = Array(symbol.utf8)
        // If another digit precedes the mark, the text is the end of a longer name.
        return bytes.indices.dropFirst().contains { index in
            bytes[index...].starts(with: extensionMark.utf8) && !(0x30...0x39).contains(bytes[index - 1])
        }
    }

    /// Returns false if another library declares the extension or conformance with this demangled name. For example,
    /// another library declares the extension `(extension in Extras):ViperKit.Screen.shout() -> ()`. The name of a
    /// conformance that another library declares ends with ` in Extras`.
    private func declares(_ declaration: String) -> Bool {
        let mark = "(extension in "
        if let range = declaration.firstRange(of: mark) {
            return declaration[range.upperBound...].hasPrefix("\(module))")
        }
        if declaration.contains("conformance") || declaration.contains("protocol witness table") {
            return declaration.hasSuffix(" in \(module)")
        }
        return true
    }

    private static func declaration(_ symbol: String) -> String {
        let text = demangled(symbol)
        let thunk = "dispatch thunk of "
        return text.hasPrefix(thunk) ? String(text.dropFirst(thunk.count)) : text
    }
}
