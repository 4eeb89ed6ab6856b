import Foundation
import FoundationXML

@testable import Web

/// A parsed page. The parser is that of XML, which refuses markup that a parser of HTML would repair.
struct Markup {
    struct Failure: Error { var text: String }

    private let document: XMLDocument

    init(_ text: String) throws {
        do { document = try XMLDocument(xmlString: text) } catch {
            throw Failure(text: "\(error) in \(text.prefix(10_000))")
        }
    }

    /// Returns the elements that an XPath selects.
    func elements(_ path: String) throws -> [XMLElement] {
        try document.nodes(forXPath: path).compactMap { $0 as? XMLElement }
    }

    func texts(_ path: String) throws -> [String] {
        try document.nodes(forXPath: path).map { $0.stringValue ?? "" }
    }

    /// Returns the value of an attribute of the only element that an XPath selects.
    func value(_ attribute: String, of path: String) throws -> String? {
        let found = try elements(path)
        if found.count != 1 { throw Failure(text: "\(path) selects \(found.count) elements") }
        return found[0].attribute(forName: attribute)?.stringValue
    }
}

extension XMLElement {
    func string(_ name: String) -> String { attribute(forName: name)?.stringValue ?? "" }
}
