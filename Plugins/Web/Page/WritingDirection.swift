/// The direction in which a text is read.
enum WritingDirection {
    case leftToRight, rightToLeft

    /// The direction of the first letter. Left to right if there is none.
    init(of text: String) {
        let first = text.unicodeScalars.first(where: \.properties.isAlphabetic)?.value ?? 0
        self = Self.rightToLeftScripts.contains { $0 ~= first } ? .rightToLeft : .leftToRight
    }

    /// The blocks of Hebrew, Arabic and the other scripts that are written from right to left.
    private static let rightToLeftScripts: [ClosedRange<UInt32>] = [
        0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]

    var attribute: HTML { self == .rightToLeft ? "rtl" : "ltr" }
}
