import ViperKit

let queryPromises = [
    ConformanceCheck("query-all", "a query without conditions selects all records in insertion order") { check in
        try await check.provider.apply(values.map { .insert($0, into: "values") })
        try await check.expect(RecordQuery(), selects: values.map(\.id))
        try await check.expect(check.found("nothing", RecordQuery()), is: [], "a query of an empty collection")
        try await check.expect(.recordInvalid, "a query of a collection with an invalid name") {
            _ = try await check.found("No Name", RecordQuery())
        }
    },
    ConformanceCheck("query-filter", "a filter compares values of the same kind by value, and text by its bytes") {
        check in
        try await check.provider.apply(values.map { .insert($0, into: "values") })
        for (filter, ids) in filters {
            var query = RecordQuery()
            query.filter = filter
            try await check.expect(query, selects: ids)
            query.filter = .not(filter)
            try await check.expect(query, selects: values.map(\.id).filter { !ids.contains($0) })
        }
        var query = RecordQuery()
        query.filter = nested(1000)
        try await check.expect(query, selects: values.map(\.id))
        query.filter = nested(1001)
        try await check.expect(.recordInvalid, "a filter of more than 1,000 levels") {
            _ = try await check.found("values", query)
        }
    },
    ConformanceCheck("query-keys", "a filter finds a key by its whole name, whatever is in it") { check in
        let keys = ["a", "a.b", "a[0]", "$", "a\"b", "a\\b", "a/b", "é", "\u{202E}", "", " ", "'"]
        for key in keys { try await check.provider.insert(KeyRecord(id: key + "!", key: key), into: "keys") }
        for key in keys {
            var query = RecordQuery()
            query.filter = .equal(key: key, .integer(7))
            try await check.expect(query, in: "keys", selects: [key + "!"])
            query.filter = nil
            query.order = [RecordOrder(key: key, isDescending: true)]
            query.limit = 1
            try await check.expect(query, in: "keys", selects: [key + "!"])
        }
    },
    ConformanceCheck("query-nul", "a NUL character in a text is compared like any other") { check in
        for (id, text) in [("1", "a\u{0}b"), ("2", "a"), ("3", "a\u{0}"), ("4", "a\u{0}a")] {
            try await check.provider.insert(ValueRecord(id, .text(text)), into: "nul")
        }
        var query = RecordQuery()
        query.filter = .equal(key: "value", .string("a\u{0}"))
        try await check.expect(query, in: "nul", selects: ["3"])
        query.filter = .contains(key: "value", "\u{0}b")
        try await check.expect(query, in: "nul", selects: ["1"])
        query.filter = nil
        query.order = [RecordOrder(key: "value")]
        try await check.expect(query, in: "nul", selects: ["2", "3", "4", "1"])
    },
    ConformanceCheck("query-order", "records are sorted by kind and value, and equal ones keep their order") { check in
        try await check.provider.apply(values.map { .insert($0, into: "values") })
        var query = RecordQuery()
        query.order = [RecordOrder(key: "value")]
        try await check.expect(query, selects: sorted.flatMap { $0 })
        query.order = [RecordOrder(key: "value", isDescending: true)]
        try await check.expect(query, selects: sorted.reversed().flatMap { $0 })
        query.order = [
            RecordOrder(key: "none", isDescending: true), RecordOrder(key: "value"),
            RecordOrder(key: "id", isDescending: true),
        ]
        try await check.expect(query, selects: sorted.flatMap { $0.sorted(by: >) })
        query.limit = 2
        try await check.expect(query, selects: ["null", "missing"])
        for limit in [0, -1] {
            query.limit = limit
            try await check.expect(query, selects: [])
        }
    },
    ConformanceCheck("query-pages", "pages neither repeat nor omit a record when others are inserted or deleted") {
        check in
        try await check.provider.apply(values.map { .insert($0, into: "values") })
        for order in [
            [], [RecordOrder(key: "value")], [RecordOrder(key: "value", isDescending: true)],
            [RecordOrder(key: "none"), RecordOrder(key: "value", isDescending: true)],
        ] {
            var query = RecordQuery()
            query.order = order
            let whole = try await check.found("values", query)
            query.limit = 3
            var read: [String] = []
            while read.count < whole.count {
                query.after = read.last
                let page = try await check.found("values", query)
                if page.isEmpty { break }
                read += page
            }
            try check.expect(read, is: whole, "the pages together")
            query.after = read.last
            try await check.expect(query, selects: [])
        }
        var query = RecordQuery()
        query.filter = .greater(key: "value", .integer(0))
        // The record after which the page starts need not match the filter.
        query.after = "false"
        query.limit = 2
        try await check.expect(query, selects: ["1", "1.0"])
        query.after = "1"
        try await check.provider.delete(id: "missing", from: "values")
        try await check.provider.insert(ValueRecord("new", .integer(9)), into: "values")
        try await check.expect(query, selects: ["1.0", "1.5"])
    },
    ConformanceCheck("query-start", "a query that begins after a record that is not there is an error") { check in
        var query = RecordQuery()
        query.after = "1"
        try await check.expect(.recordMissing, "a query of an empty collection") {
            _ = try await check.found("values", query)
        }
        try await check.provider.insert(ValueRecord("2", .integer(1)), into: "values")
        query.order = [RecordOrder(key: "value")]
        query.filter = .missing(key: "value")
        try await check.expect(.recordMissing, "a query after an unknown id") {
            _ = try await check.found("values", query)
        }
        query.after = "2"
        try await check.expect(query, selects: [])
    },
    ConformanceCheck("query-type", "only records that a query selects must have its type") { check in
        try await check.provider.insert(SampleRecord("1", "Ada"), into: "values")
        var query = RecordQuery()
        query.filter = .equal(key: "id", .string("2"))
        try await check.expect(
            check.provider.records(NumericRecord.self, in: "values", matching: query).count, is: 0, "other records")
        query.filter = .equal(key: "text", .string("Ada"))
        try await check.expect(.recordInvalid, "a query as another type") {
            _ = try await check.provider.records(NumericRecord.self, in: "values", matching: query)
        }
    },
]

extension ProviderCheck {
    fileprivate func found(_ collection: String, _ query: RecordQuery) async throws(ViperError) -> [String] {
        try await provider.records(IdentifiedRecord.self, in: collection, matching: query).map(\.id)
    }

    /// Throws an error if the query selects records other than the expected ones.
    fileprivate func expect(
        _ query: RecordQuery, in collection: String = "values", selects ids: [String]
    ) async throws {
        try expect(try await found(collection, query), is: ids, "\(query)")
    }
}

private struct IdentifiedRecord: Record {
    var id: String
}

/// A record that stores a value of any kind, or no value at all.
private struct ValueRecord: Record {
    enum Value: Codable {
        case missing, null, nested
        case boolean(Bool)
        case integer(Int)
        case number(Double)
        case text(String)
    }

    var id: String
    var value: Value

    init(_ id: String, _ value: Value) { (self.id, self.value) = (id, value) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        switch value {
        case .missing: break
        case .null: try container.encodeNil(forKey: .value)
        case .nested: try container.encode([id], forKey: .value)
        case .boolean(let flag): try container.encode(flag, forKey: .value)
        case .integer(let whole): try container.encode(whole, forKey: .value)
        case .number(let number): try container.encode(number, forKey: .value)
        case .text(let text): try container.encode(text, forKey: .value)
        }
    }

    private enum CodingKeys: CodingKey { case id, value }
}

/// A record that stores the number 7 under an arbitrary key.
private struct KeyRecord: Record {
    var id: String
    var key: String

    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(id: String, key: String) { (self.id, self.key) = (id, key) }

    init(from decoder: any Decoder) throws {
        self.init(
            id: try decoder.container(keyedBy: Key.self).decode(String.self, forKey: Key(stringValue: "id")), key: "")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: Key(stringValue: "id"))
        try container.encode(7, forKey: Key(stringValue: key))
    }
}

private let values: [ValueRecord] = [
    ValueRecord("composed", .text("caf\u{E9}")), ValueRecord("null", .null), ValueRecord("list", .nested),
    ValueRecord("false", .boolean(false)), ValueRecord("1", .integer(1)), ValueRecord("empty", .text("")),
    ValueRecord("1.0", .number(1)), ValueRecord("text", .text("1")), ValueRecord("true", .boolean(true)),
    ValueRecord("missing", .missing), ValueRecord("1.5", .number(1.5)), ValueRecord("-1", .integer(-1)),
    ValueRecord("0", .number(-0.0)), ValueRecord("2^53", .number(0x1p53)), ValueRecord("2^53+1", .integer(1 << 53 + 1)),
    ValueRecord("most", .integer(.max)), ValueRecord("2^63", .number(0x1p63)), ValueRecord("least", .integer(.min)),
    ValueRecord("0.3", .number(0.1 + 0.2)), ValueRecord("tiny", .number(.leastNonzeroMagnitude)),
    ValueRecord("huge", .number(.greatestFiniteMagnitude)), ValueRecord("decomposed", .text("cafe\u{301}")),
    ValueRecord("Z", .text("Z")), ValueRecord("a", .text("a")), ValueRecord("quote", .text("a\"\\/\n'%_")),
    ValueRecord("high", .text("\u{10000}")), ValueRecord("below", .text("\u{FFFF}")),
    ValueRecord("line", .text("\u{2028}")), ValueRecord("inner", .nested),
]

/// The IDs of the records, sorted by value in ascending order. Records in the same inner array have equal values.
private let sorted: [[String]] = [
    ["null", "missing"], ["false"], ["true"], ["least"], ["-1"], ["0"], ["tiny"], ["0.3"], ["1", "1.0"], ["1.5"],
    ["2^53"], ["2^53+1"], ["most"], ["2^63"], ["huge"], ["empty"], ["text"], ["Z"], ["a"], ["quote"], ["decomposed"],
    ["composed"], ["line"], ["below"], ["high"], ["list", "inner"],
]

private let (numbers, texts) = (
    ["1", "1.0", "1.5", "-1", "0", "2^53", "2^53+1", "most", "2^63", "least", "0.3", "tiny", "huge"],
    ["composed", "empty", "text", "decomposed", "Z", "a", "quote", "high", "below", "line"]
)

/// Returns a filter that selects all records and has a number of conditions inside each other.
private func nested(_ levels: Int) -> RecordFilter {
    (1..<levels).reduce(.all([])) { filter, _ in .all([filter]) }
}

/// The filters to check, each with the IDs of the records that it selects.
private let filters: [(RecordFilter, [String])] = [
    (.equal(key: "value", .integer(1)), ["1", "1.0"]), (.equal(key: "value", .number(1)), ["1", "1.0"]),
    (.equal(key: "value", .integer(0)), ["0"]), (.equal(key: "value", .number(0.1 + 0.2)), ["0.3"]),
    (.equal(key: "value", .number(0.3)), []), (.equal(key: "value", .number(.nan)), []),
    (.equal(key: "value", .integer(1 << 53)), ["2^53"]), (.equal(key: "value", .integer(1 << 53 + 1)), ["2^53+1"]),
    (.equal(key: "value", .number(0x1p53)), ["2^53"]), (.equal(key: "value", .number(0x1p63)), ["2^63"]),
    (.equal(key: "value", .integer(.max)), ["most"]), (.equal(key: "value", .boolean(true)), ["true"]),
    (.equal(key: "value", .boolean(false)), ["false"]), (.equal(key: "value", .string("1")), ["text"]),
    (.equal(key: "value", .string("")), ["empty"]), (.equal(key: "value", .string("cafe\u{301}")), ["decomposed"]),
    (.equal(key: "value", .string("A")), []), (.equal(key: "value", .string("a\"\\/\n'%_")), ["quote"]),
    (.equal(key: "other", .integer(1)), []),
    (.less(key: "value", .integer(1)), ["-1", "0", "least", "0.3", "tiny"]),
    (.less(key: "value", .number(.infinity)), numbers), (.greater(key: "value", .number(-.infinity)), numbers),
    (.less(key: "value", .number(.nan)), []), (.greater(key: "value", .number(.nan)), []),
    (.greater(key: "value", .number(1.25)), ["1.5", "2^53", "2^53+1", "most", "2^63", "huge"]),
    (.greater(key: "value", .number(0x1p53)), ["2^53+1", "most", "2^63", "huge"]),
    (.greater(key: "value", .integer(.max)), ["2^63", "huge"]), (.less(key: "value", .integer(.min)), []),
    (.less(key: "value", .boolean(true)), ["false"]), (.greater(key: "value", .boolean(true)), []),
    (.greater(key: "value", .string("")), texts.filter { $0 != "empty" }),
    (.less(key: "value", .string("a")), ["empty", "text", "Z"]), (.less(key: "value", .string("")), []),
    (.greater(key: "value", .string("\u{FFFF}")), ["high"]), (.contains(key: "value", ""), texts),
    (.contains(key: "value", "a"), ["composed", "decomposed", "a", "quote"]),
    (.contains(key: "value", "caf\u{E9}"), ["composed"]),
    (.contains(key: "value", "\u{301}"), ["decomposed"]), (.contains(key: "value", "%"), ["quote"]),
    (.contains(key: "value", "A"), []), (.contains(key: "value", "1"), ["text"]), (.contains(key: "other", ""), []),
    (.missing(key: "value"), ["null", "missing"]), (.missing(key: "other"), values.map(\.id)),
    (.all([]), values.map(\.id)), (.any([]), []),
    (.any([.equal(key: "value", .integer(1)), .missing(key: "value")]), ["null", "1", "1.0", "missing"]),
    (
        .all([
            .greater(key: "value", .integer(0)), .not(.equal(key: "value", .integer(1))),
            .less(key: "value", .integer(10)),
        ]), ["1.5", "0.3", "tiny"]
    ),
    (.equal(key: "id", .string("1")), ["1"]),
]
