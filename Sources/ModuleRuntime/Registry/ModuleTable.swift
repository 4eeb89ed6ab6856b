/// The modules of a registry's snapshot.
///
/// The records are stored in groups. A snapshot that differs from the previous one in a single record shares all other
/// groups with it, so creating it takes little more time with 10,000 modules than with 10.
public struct ModuleTable: RandomAccessCollection, Sendable {
    /// The number of records in each group except the last. A change copies this many records, and a reference to each
    /// group. Copying a record takes about ten times as long as copying a reference.
    private static let groupSize = 32

    private var groups: [[ModuleRecord]]
    public let endIndex: Int

    public var startIndex: Int { 0 }

    init(_ records: [ModuleRecord]) {
        groups = stride(from: 0, to: records.count, by: Self.groupSize).map {
            Array(records[$0..<Swift.min($0 + Self.groupSize, records.count)])
        }
        endIndex = records.count
    }

    public internal(set) subscript(index: Int) -> ModuleRecord {
        get { groups[index / Self.groupSize][index % Self.groupSize] }
        set { groups[index / Self.groupSize][index % Self.groupSize] = newValue }
    }
}
