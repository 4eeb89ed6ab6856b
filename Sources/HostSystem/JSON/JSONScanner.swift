/// A strict JSON scanner. Unlike `JSONDecoder`, it reports the position of a syntax error, rejects duplicate keys, and
/// finds the position of the value at a path.
///
/// The scanner does not create values. It accepts RFC 8259 JSON in UTF-8 with at most 512 levels of nesting. Like
/// `JSONDecoder`, it rejects unpaired surrogates.
struct JSONScanner {
    struct Problem: Error, Equatable {
        var offset: Int
        var cause: String
        /// The path of the error in the document. Nil if the path is unknown.
        var path: [JSONStep]?
        var fix: String?
    }

    /// The byte offsets of a value and its key. `key` is nil in an array and for the top-level value.
    struct Place: Equatable {
        var key: Int?
        var value: Int
    }

    private static let deepest = 512

    /// The byte ranges of the values in the top-level object, keyed by their unescaped keys. Empty if the text is not an
    /// object.
    private(set) var members: [String: Range<Int>] = [:]

    private let bytes: [UInt8]
    private let recordsMembers: Bool
    private var offset = 0
    // The path to the value that is being scanned. It contains no strings, because creating them takes time.
    private var here: [Step] = []
    // The keys of the objects that are being scanned, outermost first.
    private var keys: [Range<Int>] = []
    // True if the latest string contains only ASCII characters and no escapes.
    private var isPlain = true
    private var found: Place?

    private enum Step {
        /// The range of the quoted key.
        case key(Range<Int>)
        case index(Int)
    }

    private init(_ bytes: [UInt8], recordsMembers: Bool) { (self.bytes, self.recordsMembers) = (bytes, recordsMembers) }

    /// Checks the syntax of the whole text, and finds the value at a path.
    ///
    /// - Returns: The position of the value, or nil if the text has no value at the path.
    static func scan(_ bytes: [UInt8], seeking path: [JSONStep] = []) throws(Problem) -> Place? {
        try scanned(bytes, seeking: path, recordsMembers: false).found
    }

    /// Checks the syntax of the whole text, and finds the members of its object.
    static func members(_ bytes: [UInt8]) throws(Problem) -> [String: Range<Int>] {
        try scanned(bytes, seeking: [], recordsMembers: true).members
    }

    private static func scanned(
        _ bytes: [UInt8], seeking path: [JSONStep], recordsMembers: Bool
    ) throws(Problem) -> JSONScanner {
        if let problem = byteOrderMark(bytes) { throw problem }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw Problem(offset: error.byteOffsets.lowerBound, cause: "the text is not valid UTF-8")
        }
        var scanner = JSONScanner(bytes, recordsMembers: recordsMembers)
        try scanner.value(seeking: path[...], key: nil)
        scanner.skipSpace()
        if scanner.offset < bytes.count { throw scanner.problem("unexpected text after the value") }
        return scanner
    }

    private static func byteOrderMark(_ bytes: [UInt8]) -> Problem? {
        let encodings: [(mark: [UInt8], name: String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
        ]
        guard let encoding = encodings.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
        return Problem(
            offset: 0, cause: "the text begins with the byte order mark (BOM) of \(encoding.name)",
            fix: "save it as UTF-8 without a byte order mark")
    }

    private func problem(_ cause: String) -> Problem { Problem(offset: offset, cause: cause) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// Scans one value.
    ///
    /// - Parameters:
    ///   - path: The remaining path from this value to the sought value. Nil if this value does not contain the sought
    ///     value.
    ///   - key: The offset of the value's key. Nil if the value has no key.
    private mutating func value(seeking path: ArraySlice<JSONStep>?, key: Int?) throws(Problem) {
        skipSpace()
        if let path, path.isEmpty { found = Place(key: key, value: offset) }
        guard let byte = next else { throw problem("expected a value, found the end of the text") }
        switch byte {
        case UInt8(ascii: "{"): try nested { scanner throws(Problem) in try scanner.object(seeking: path) }
        case UInt8(ascii: "["): try nested { scanner throws(Problem) in try scanner.array(seeking: path) }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw problem("expected a value")
        }
    }

    private mutating func nested(_ body: (inout JSONScanner) throws(Problem) -> Void) throws(Problem) {
        // Each level of nesting has one step. Every element of the level replaces this step with its own.
        here.append(.index(0))
        defer { here.removeLast() }
        if here.count > Self.deepest { throw problem("the text is nested more than \(Self.deepest) levels deep") }
        offset += 1
        try body(&self)
    }

    private mutating func object(seeking path: ArraySlice<JSONStep>?) throws(Problem) {
        let first = keys.count
        defer { keys.removeSubrange(first...) }
        var names: Set<String>?
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            let start = offset
            guard next == UInt8(ascii: "\"") else { throw problem("expected a key in double quotes") }
            try string()
            let key = start..<offset
            here[here.count - 1] = .key(key)
            guard insert(key, since: first, &names) else {
                throw Problem(
                    offset: start, cause: "duplicate key \"\(unescaped(bytes[key]))\"", path: here.map(step),
                    fix: "remove or rename one of them")
            }
            skipSpace()
            if !take(":") { throw problem("expected a colon") }
            skipSpace()
            let valueStart = offset
            let isSought = if let wanted = path?.first { wanted == step(.key(key)) } else { false }
            try value(seeking: isSought ? path?.dropFirst() : nil, key: start)
            if recordsMembers, here.count == 1 { members[unescaped(bytes[key])] = valueStart..<offset }
            skipSpace()
        } while take(",")
        if !take("}") { throw problem("expected a comma or a closing brace") }
    }

    /// Adds a key of the current object.
    ///
    /// Comparing the bytes of a few keys is much faster than creating and hashing strings. Two keys are also equal if
    /// they only differ in their Unicode form, as in `JSONDecoder`, so keys that are not plain are compared as strings.
    ///
    /// - Parameters:
    ///   - first: The index of the object's first key in ``keys``.
    ///   - names: The object's keys as strings. Nil as long as the object has only a few plain keys.
    /// - Returns: False if the object already has an equal key.
    private mutating func insert(_ key: Range<Int>, since first: Int, _ names: inout Set<String>?) -> Bool {
        if names == nil, isPlain, keys.count - first < 16 {
            for other in keys[first...] where isEqual(key, other) { return false }
            keys.append(key)
            return true
        }
        if names == nil { names = Set(keys[first...].map { unescaped(bytes[$0]) }) }
        return names?.insert(unescaped(bytes[key])).inserted ?? true
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        if left.count != right.count { return false }
        for index in 0..<left.count where bytes[left.lowerBound + index] != bytes[right.lowerBound + index] {
            return false
        }
        return true
    }

    private func step(_ step: Step) -> JSONStep {
        switch step {
        case .key(let range): .key(unescaped(bytes[range]))
        case .index(let index): .index(index)
        }
    }

    private mutating func array(seeking path: ArraySlice<JSONStep>?) throws(Problem) {
        var index = 0
        skipSpace()
        if take("]") { return }
        repeat {
            here[here.count - 1] = .index(index)
            try value(seeking: path?.first == .index(index) ? path?.dropFirst() : nil, key: nil)
            index += 1
            skipSpace()
        } while take(",")
        if !take("]") { throw problem("expected a comma or a closing bracket") }
    }

    private mutating func word(_ word: StaticString) throws(Problem) {
        let text = Array("\(word)".utf8)
        guard bytes[offset...].starts(with: text) else { throw problem("expected a value") }
        offset += text.count
    }

    private mutating func number() throws(Problem) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Problem) {
        let start = offset
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
        if offset == start { throw problem("expected a digit") }
    }

    private mutating func string() throws(Problem) {
        isPlain = true
        offset += 1
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                isPlain = false
                try escape()
            case 0x80...: isPlain = false
            case 0..<0x20:
                offset -= 1
                throw problem("a control character in a string is not escaped")
            default: break
            }
        }
        throw problem("the text ends inside a string")
    }

    private mutating func escape() throws(Problem) {
        let start = offset - 1
        if take("u") {
            let unit = try codeUnit()
            if UTF16.isTrailSurrogate(unit) { throw Problem(offset: start, cause: Self.halfPair) }
            if !UTF16.isLeadSurrogate(unit) { return }
            guard take("\\"), take("u"), UTF16.isTrailSurrogate(try codeUnit()) else {
                throw Problem(offset: start, cause: Self.halfPair)
            }
            return
        }
        switch next.map(Unicode.Scalar.init) {
        case "\"", "\\", "/", "b", "f", "n", "r", "t": offset += 1
        default: throw problem("unknown escape sequence")
        }
    }

    private static let halfPair = "unpaired surrogate"

    private mutating func codeUnit() throws(Problem) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw problem("expected four hexadecimal digits after \\u")
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
