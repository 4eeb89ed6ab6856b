/// The modules of a registry's snapshot.
///
/// The records are stored in groups, and the groups in blocks. A snapshot that differs from the previous one in a single
/// record shares all other groups and blocks with it, so creating it takes little more time with 10,000 modules than
/// with 10.
package struct ModuleTable: RandomAccessCollection, Sendable {
    /// The number of records in each group, and of groups in each block, except the last ones. A change copies this many
    /// records, as many references to groups, and a reference to each block.
    private static let size = 32

    private var blocks: [[[ModuleRecord]]]
    package let endIndex: Int

    package var startIndex: Int { 0 }

    init(_ records: [ModuleRecord]) {
        blocks = Self.parts(Self.parts(records))
        endIndex = records.count
    }

    private static func parts<Element>(_ elements: [Element]) -> [[Element]] {
        stride(from: 0, to: elements.count, by: size).map {
            Array(elements[$0..<Swift.min($0 + size, elements.count)])
        }
    }

    package internal(set) subscript(index: Int) -> ModuleRecord {
        get { blocks[index / (Self.size * Self.size)][index / Self.size % Self.size][index % Self.size] }
        set { blocks[index / (Self.size * Self.size)][index / Self.size % Self.size][index % Self.size] = newValue }
    }
}
