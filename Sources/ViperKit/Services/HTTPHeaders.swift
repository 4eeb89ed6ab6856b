/// The header fields of an HTTP request or response, in order. Several fields can have the same name.
///
/// Comparisons of names ignore the case of ASCII letters. Values may be secret, so descriptions and mirrors show only
/// the names.
///
/// ```swift
/// request.headers = ["Accept": "application/json"]
/// let type = response.headers["content-type"]
/// let cookies = response.headers.values(of: "Set-Cookie")
/// ```
public struct HTTPHeaders: Sendable, Equatable {
    private var fields: [HTTPHeader]

    /// Creates header fields from a sequence, and keeps their order.
    public init(_ fields: some Sequence<HTTPHeader>) { self.fields = Array(fields) }

    /// The value of the first field with the given name, or nil if no field has this name.
    ///
    /// Setting a value replaces the first field with this name, and removes any other fields with this name. If no
    /// field has this name, setting a value adds a field at the end. Setting nil removes all fields with this name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            let place = fields.firstIndex { $0.isNamed(name) }
            guard let newValue else { return fields.removeAll { $0.isNamed(name) } }
            guard let place else { return append(name: name, value: newValue) }
            fields[place] = HTTPHeader(name: name, value: newValue)
            let rest = fields[(place + 1)...].filter { !$0.isNamed(name) }
            fields.replaceSubrange((place + 1)..., with: rest)
        }
    }

    /// Returns the values of all fields with the given name, in order.
    public func values(of name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

    /// Adds a field at the end, even if a field with the same name already exists.
    public mutating func append(name: String, value: String) { fields.append(HTTPHeader(name: name, value: value)) }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates header fields from a dictionary literal, and keeps their order. Several fields can have the same name.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { HTTPHeader(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

/// One header field of an HTTP request or response.
public struct HTTPHeader: Sendable {
    /// The name, with its original capitalization.
    public let name: String
    /// The value. Clients remove white space around it.
    public let value: String

    init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

extension HTTPHeader: Equatable {
    func isNamed(_ name: String) -> Bool {
        self.name.utf8.elementsEqual(name.utf8) { $0 == $1 || Self.lowercased($0) == Self.lowercased($1) }
    }

    /// Returns true if the values are equal, and the names are equal ignoring case.
    public static func == (left: Self, right: Self) -> Bool {
        left.isNamed(right.name) && left.value.utf8.elementsEqual(right.value.utf8)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The names of the fields, without their values.
    public var description: String { "\(map(\.name))" }
    /// A mirror that contains only the names of the fields.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: map(\.name), displayStyle: .collection) }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
    /// The name of the field, without its value.
    public var description: String { name }
    /// A mirror that contains only the name of the field.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
