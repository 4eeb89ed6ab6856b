/// Random texts of 128 bits, which cannot be guessed.
enum Secret {
    /// Returns a new text of 32 hexadecimal digits. The system's generator is cryptographically secure.
    static func make() -> String {
        let digits = Array("0123456789abcdef".utf8)
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            var word = generator.next()
            for _ in 0..<16 {
                bytes.append(digits[Int(word & 15)])
                word >>= 4
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns true if two texts are equal. The time depends on their lengths only.
    static func isEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
