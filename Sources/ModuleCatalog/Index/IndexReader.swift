/// A decoder for the bytes that ``IndexWriter`` writes.
struct IndexReader {
    /// The error for bytes that do not contain the expected values.
    struct Damage: Error {}

    /// The bytes that are not decoded yet.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    private mutating func byte() throws(Damage) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Damage() }
        return byte
    }

    mutating func number() throws(Damage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw Damage()
    }

    mutating func integer() throws(Damage) -> Int { Int(Int64(bitPattern: try number())) }

    /// Decodes the length of a text or list. Throws if the length exceeds the number of remaining bytes, because each
    /// list element takes at least one byte.
    private mutating func count() throws(Damage) -> Int {
        let count = try integer()
        guard (0...rest.count).contains(count) else { throw Damage() }
        return count
    }

    mutating func flag() throws(Damage) -> Bool { try byte() != 0 }

    mutating func text() throws(Damage) -> String {
        let count = try count()
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    mutating func list<Element>(
        _ element: (inout IndexReader) throws(Damage) -> Element
    ) throws(Damage) -> [Element] {
        let count = try count()
        var list: [Element] = []
        for _ in 0..<count { list.append(try element(&self)) }
        return list
    }

    mutating func optional<Value>(
        _ value: (inout IndexReader) throws(Damage) -> Value
    ) throws(Damage) -> Value? {
        try flag() ? try value(&self) : nil
    }
}
