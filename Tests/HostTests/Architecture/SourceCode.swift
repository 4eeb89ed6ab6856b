/// The code of a Swift file, without comments and string literals. Interpolated expressions are code.
struct SourceCode {
    private(set) var bytes: [UInt8] = []
    private let text: [UInt8]
    private var index = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
        readCode(untilParenthesis: false)
    }

    private func byte(_ offset: Int = 0) -> UInt8? { index + offset < text.count ? text[index + offset] : nil }

    private mutating func readCode(untilParenthesis: Bool) {
        var depth = 0
        while let next = byte() {
            switch next {
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                while let next = byte(), next != UInt8(ascii: "\n") { index += 1 }
                continue
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
                while byte() != nil, byte() != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") { index += 1 }
                index += 2
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                if let count = numberSignsBeforeText() {
                    readText(count)
                    continue
                }
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if untilParenthesis, depth < 0 { return }
            default: break
            }
            bytes.append(next)
            index += 1
        }
    }

    /// Returns the number of number signs before the next quotation mark. Nil if no string literal begins here.
    private func numberSignsBeforeText() -> Int? {
        var count = 0
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        return byte(count) == UInt8(ascii: "\"") ? count : nil
    }

    private mutating func readText(_ count: Int) {
        let quotes = byte(count + 1) == UInt8(ascii: "\"") && byte(count + 2) == UInt8(ascii: "\"") ? 3 : 1
        index += count + quotes
        bytes.append(UInt8(ascii: " "))
        while let next = byte() {
            if next == UInt8(ascii: "\""), hasEnd(quotes, count) {
                index += quotes + count
                return
            }
            guard next == UInt8(ascii: "\\"), (0..<count).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) else {
                index += 1
                continue
            }
            let isCode = byte(1 + count) == UInt8(ascii: "(")
            index += 2 + count
            if isCode {
                readCode(untilParenthesis: true)
                bytes.append(UInt8(ascii: " "))
                index += 1
            }
        }
    }

    private func hasEnd(_ quotes: Int, _ count: Int) -> Bool {
        (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
            && (0..<count).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
    }
}
