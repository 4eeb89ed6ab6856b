/// An encoder for values that ``IndexReader`` decodes.
struct IndexWriter {
    private(set) var bytes: [UInt8] = []

    /// Adds a number in the unsigned LEB128 encoding, which stores seven bits per byte; see the DWARF standard, section
    /// 7.6.
    mutating func add(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }

    mutating func add<Element>(_ list: [Element], _ body: (inout IndexWriter, Element) -> Void) {
        add(list.count)
        for element in list { body(&self, element) }
    }

    mutating func add<Value>(_ value: Value?, _ body: (inout IndexWriter, Value) -> Void) {
        add(value != nil)
        if let value { body(&self, value) }
    }
}
