import HostSystem

/// The declarations in the interface of a contract, as the compiler wrote them, in a form that can be compared.
///
/// Symbols do not show a new requirement of a protocol, a changed isolation or a changed type of error. So this type
/// compares the lines of the interface: each line of the earlier interface must remain.
struct ContractInterface {
    struct Change: Equatable {
        enum Kind: String {
            /// The declaration was removed or changed.
            case missing
            /// A protocol has a new requirement without a default implementation.
            case requirement = "new requirement"
            /// A frozen type has a new case or a new stored property.
            case frozen = "new part of a frozen type"
            /// The declaration was added, which needs a higher minor version.
            case added
        }

        var kind: Kind
        /// The declaration, after the declarations that contain it.
        var declaration: String
    }

    private struct Line: Hashable {
        /// The headers of the declarations that contain this one, without conformances, outermost first.
        var scopes: [String]
        var text: String
        /// True if the declaration is followed by its members or accessors. A stored property has none.
        var hasBody: Bool

        var description: String { (scopes + [text]).joined(separator: " → ") }
    }

    private var lines: [Line] = []

    init(_ interface: String) {
        var scopes: [String] = []
        for row in interface.split(separator: "\n") {
            let text = Self.trimmed(row)
            if text.isEmpty || text.hasPrefix("//") || Self.isImport(text) { continue }
            if text.hasPrefix("}") {
                _ = scopes.popLast()
                continue
            }
            let isScope = text.hasSuffix("{")
            let header = isScope ? Self.trimmed(text.dropLast()) : text
            let parts = Self.parts(of: header, isScope: isScope)
            for part in parts { lines.append(Line(scopes: scopes, text: part, hasBody: isScope)) }
            if isScope { scopes.append(parts[0]) }
        }
    }

    /// Returns the changes that break a module which was built against an earlier interface, in order.
    func incompatibilities(with earlier: ContractInterface) -> [Change] {
        let (before, after) = (Set(earlier.lines), Set(lines))
        let missing = earlier.lines.filter { line in
            // The removal of a type removes its members, so it is reported once.
            !after.contains(line)
                && !line.scopes.indices.contains(where: { index in
                    let outer = Line(scopes: Array(line.scopes[..<index]), text: line.scopes[index], hasBody: true)
                    return before.contains(outer) && !after.contains(outer)
                })
        }
        let added = lines.filter { !before.contains($0) && before.contains(Self.scope(of: $0)) }
        let requirements = added.filter { Self.isProtocol($0.scopes.last) && !hasDefault($0) }
        let frozen = added.filter { $0.scopes.last?.contains("@frozen") == true && Self.isStored($0) }
        func changes(_ kind: Change.Kind, _ lines: [Line]) -> [Change] {
            lines.map { Change(kind: kind, declaration: $0.description) }
        }
        return changes(.missing, missing) + changes(.requirement, requirements) + changes(.frozen, frozen)
    }

    /// Returns the declarations that an earlier interface does not have, in order.
    func additions(to earlier: ContractInterface) -> [Change] {
        let before = Set(earlier.lines)
        return lines.filter { !before.contains($0) }.map { Change(kind: .added, declaration: $0.description) }
    }

    /// Returns true if an extension of the protocol implements a requirement for all conforming types.
    private func hasDefault(_ requirement: Line) -> Bool {
        let header = requirement.scopes.last?.split(separator: "protocol ").last ?? ""
        let name = String(header.prefix { !" :<".contains($0) })
        let wanted = "public " + Self.withoutAccessors(requirement.text)
        return lines.contains { line in
            guard let scope = line.scopes.last, scope.hasPrefix("extension "), !scope.contains(" where ") else {
                return false
            }
            return scope.hasSuffix(".\(name)") && Self.withoutAccessors(line.text) == wanted
        }
    }

    private static func scope(of line: Line) -> Line {
        Line(scopes: Array(line.scopes.dropLast()), text: line.scopes.last ?? "", hasBody: true)
    }

    private static func isProtocol(_ scope: String?) -> Bool { scope?.contains("public protocol ") ?? false }

    private static func isImport(_ text: String) -> Bool {
        text.hasPrefix("import ") || text.hasPrefix("public import ") || text.hasPrefix("@_exported ")
    }

    /// Returns true if a line in a type declares a case or a stored property.
    private static func isStored(_ line: Line) -> Bool {
        let words = line.text.split(separator: " ")
        return words.first == "case"
            || words.contains { $0 == "var" || $0 == "let" } && !words.contains("static") && !line.hasBody
    }

    /// Returns a declaration without the accessors in braces.
    private static func withoutAccessors(_ text: String) -> String { trimmed(text.prefix { $0 != "{" }) }

    /// Splits the header of a type into its declaration and one line for each conformance, because a type may gain
    /// conformances. A protocol may not, and a header with type parameters is kept whole.
    private static func parts(of header: String, isScope: Bool) -> [String] {
        let kinds = [" struct ", " class ", " enum ", " actor "]
        guard isScope, kinds.contains(where: { header.contains($0) }), !header.contains("<"),
            let colon = header.firstRange(of: " : ")
        else { return [header] }
        let type = String(header[..<colon.lowerBound])
        let conformances = header[colon.upperBound...].split(separator: ",").map { trimmed($0) }
        return [type] + conformances.sorted().map { "\(type) : \($0)" }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
