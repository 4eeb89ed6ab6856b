/// An amount of money.
struct Amount: Sendable, Equatable {
    /// The text before the number, such as `$`. Empty if the amount has no currency.
    var currency: String
    /// The hundredths of the amount, such as 210715 for `$2,107.15`.
    var cents: Int

    /// Creates an amount of nothing.
    init(currency: String) { (self.currency, cents) = (currency, 0) }

    /// Creates an amount from a text such as `$2,107.15`. Returns nil if the text is not an amount.
    init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let unsigned = isNegative ? text.dropFirst() : text[...]
        guard let start = unsigned.firstIndex(where: { $0.isNumber || $0 == "." }) else { return nil }
        let parts = unsigned[start...].split(separator: ".", omittingEmptySubsequences: false)
        let (whole, part) = (parts[0].filter { $0 != "," }, parts.count > 1 ? parts[1] : "00")
        let digits = whole + part
        guard parts.count < 3, part.utf8.count == 2, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let cents = Int((isNegative ? "-" : "") + digits)
        else { return nil }
        (currency, self.cents) = (String(unsigned[..<start]), cents)
    }

    /// Adds an amount of the same currency.
    ///
    /// - Returns: False if the currencies differ or the sum is too large. The amount is then unchanged.
    mutating func add(_ other: Amount) -> Bool {
        let (sum, isTooLarge) = cents.addingReportingOverflow(other.cents)
        if isTooLarge || currency != other.currency { return false }
        cents = sum
        return true
    }

    /// The amount as text, such as `$2,107.15`.
    var text: String {
        let digits = Array("\(cents.magnitude)".utf8)
        let padded = Array(repeating: UInt8(ascii: "0"), count: max(0, 3 - digits.count)) + digits
        let whole = padded.dropLast(2)
        let grouped = whole.indices.reduce(into: "") { text, index in
            if index > 0, (whole.count - index).isMultiple(of: 3) { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(whole[index]))
        }
        return (cents < 0 ? "-" : "") + "\(currency)\(grouped).\(String(decoding: padded.suffix(2), as: UTF8.self))"
    }
}
