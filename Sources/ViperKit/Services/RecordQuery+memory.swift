extension DataProvider {
    /// Returns the records that a query selects, by reading the whole collection.
    ///
    /// This is the default implementation of ``records(_:in:matching:)``. A provider with its own implementation can
    /// call this method for queries that its store cannot evaluate.
    ///
    /// - Throws: The errors of ``records(_:in:matching:)``.
    public func recordsByReadingAll<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        if query.filter?.isTooDeep == true {
            throw ViperError(
                .recordInvalid, operation: "cannot read records in", subject: collection,
                cause: "the filter has more than \(RecordFilter.deepest) conditions inside each other",
                fix: "nest fewer conditions")
        }
        var found = try await all(QueriedRecord<R>.self, in: collection)
        if !query.order.isEmpty { found.sort { query.isOrdered($0.values, before: $1.values) } }
        if let after = query.after {
            guard let place = found.firstIndex(where: { $0.id.utf8.elementsEqual(after.utf8) }) else {
                throw query.missingStartError(in: collection)
            }
            found.removeFirst(place + 1)
        }
        let matches = found.lazy.filter { query.filter?.isTrue(for: $0.values) ?? true }
        var records: [R] = []
        for match in matches.prefix(max(0, query.limit ?? .max)) {
            if let record = match.record {
                records.append(record)
            } else if let record = try await find(type, id: match.id, in: collection) {
                // The record could not be decoded. Reading it again throws the provider's own error, unless the record
                // has changed since.
                records.append(record)
            }
        }
        return records
    }
}

extension RecordQuery {
    fileprivate func isOrdered(_ left: [String: RecordValue], before right: [String: RecordValue]) -> Bool {
        for part in order {
            let (left, right) = (left[part.key] ?? .missing, right[part.key] ?? .missing)
            if left != right { return part.isDescending ? right < left : left < right }
        }
        return false
    }
}

extension RecordFilter {
    /// The maximum number of conditions inside each other. Evaluating many more would overflow the stack.
    fileprivate static let deepest = 1000

    fileprivate var isTooDeep: Bool {
        var level = [self]
        for _ in 0..<Self.deepest {
            level = level.flatMap(\.parts)
            if level.isEmpty { return false }
        }
        return true
    }

    private var parts: [RecordFilter] {
        switch self {
        case .all(let filters), .any(let filters): filters
        case .not(let filter): [filter]
        default: []
        }
    }

    fileprivate func isTrue(for values: [String: RecordValue]) -> Bool {
        switch self {
        case .equal(let key, let constant): compare(values[key], constant, ==)
        case .less(let key, let constant): compare(values[key], constant, <)
        case .greater(let key, let constant): compare(values[key], constant, >)
        case .contains(let key, let text):
            if case .text(let value) = values[key] { value.utf8.contains(text.utf8) } else { false }
        case .missing(let key): values[key] ?? .missing == .missing
        case .all(let filters): filters.allSatisfy { $0.isTrue(for: values) }
        case .any(let filters): filters.contains { $0.isTrue(for: values) }
        case .not(let filter): !filter.isTrue(for: values)
        }
    }

    private func compare(
        _ value: RecordValue?, _ constant: ParameterValue, _ isTrue: (RecordValue, RecordValue) -> Bool
    ) -> Bool {
        guard let value, let constant = RecordValue(constant) else { return false }
        return value.isSameKind(as: constant) && isTrue(value, constant)
    }
}

/// A record with the values that a query compares.
private struct QueriedRecord<R: Record>: Record {
    let id: String
    /// The decoded record. Nil if decoding failed, which matters only if the query selects the record.
    let record: R?
    let values: [String: RecordValue]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        id = try container.decode(String.self, forKey: AnyKey(stringValue: "id"))
        values = Dictionary(
            container.allKeys.map { ($0.stringValue, RecordValue($0, in: container)) }, uniquingKeysWith: { $1 })
        record = try? R(from: decoder)
    }

    func encode(to encoder: any Encoder) throws { try record?.encode(to: encoder) }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The value of a key, in a form that queries can compare.
private enum RecordValue: Sendable, Comparable {
    case missing
    case boolean(Bool)
    case integer(Int)
    /// A number that `Int` cannot represent exactly.
    case number(Double)
    case text(String)
    /// An array or object.
    case nested

    /// Creates a value from a constant. Returns nil for an array, because no value equals an array.
    init?(_ value: ParameterValue) {
        switch value {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let whole): self = .integer(whole)
        case .number(let number): self = Self(number)
        case .string(let text): self = .text(text)
        case .array: return nil
        }
    }

    private init(_ number: Double) { self = Int(exactly: number).map { .integer($0) } ?? .number(number) }

    init(_ key: AnyKey, in container: KeyedDecodingContainer<AnyKey>) {
        // Tries the most frequent kinds first, because a failed attempt is slow.
        if let text = try? container.decode(String.self, forKey: key) {
            self = .text(text)
        } else if (try? container.decodeNil(forKey: key)) == true {
            self = .missing
        } else if let whole = try? container.decode(Int.self, forKey: key) {
            self = .integer(whole)
        } else if let number = try? container.decode(Double.self, forKey: key) {
            self = Self(number)
        } else if let flag = try? container.decode(Bool.self, forKey: key) {
            self = .boolean(flag)
        } else {
            self = .nested
        }
    }

    private var kind: Int {
        switch self {
        case .missing: 0
        case .boolean: 1
        case .integer, .number: 2
        case .text: 3
        case .nested: 4
        }
    }

    func isSameKind(as other: Self) -> Bool { kind == other.kind }

    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.missing, .missing), (.nested, .nested): true
        default: false
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): !left && right
        case (.integer(let left), .integer(let right)): left < right
        case (.number(let left), .number(let right)): left < right
        // These comparisons are exact. A `number` never equals an `Int`: it lies between two integers, or outside the
        // range of `Int`.
        case (.integer(let left), .number(let right)): right >= 0x1p63 || right >= -0x1p63 && left <= floor(right)
        case (.number(let left), .integer(let right)): left < -0x1p63 || left < 0x1p63 && floor(left) < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: left.kind < right.kind
        }
    }

    private static func floor(_ number: Double) -> Int { Int(number.rounded(.down)) }
}
