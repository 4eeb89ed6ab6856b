extension Sequence<UInt8> {
    /// A number in hexadecimal that differs for other bytes (FNV-1a). It tells versions of a content apart.
    var digest: String {
        String(reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
