import ViperKit

/// An SQL statement that performs a query and returns the JSON of the selected records.
///
/// The statement compares the values of the column `value`, which has no value if a record contains a NUL character.
/// ``RecordStore`` then evaluates the query in memory. No condition evaluates to NULL, so `NOT` always inverts a
/// condition. All texts of the query are values for placeholders.
struct RecordSelect: Sendable {
    let collection: [UInt8]
    /// The ID of the record that precedes the first result. Nil if the results start with the first record.
    let after: [UInt8]?
    /// True if the statement compares values in records.
    let comparesValues: Bool
    private var sql = ""
    private var values: [[UInt8]] = []

    // PostgreSQL's parser recurses, and a statement has at most 65,535 placeholders.
    private static let (mostParts, deepest, mostKeys) = (1000, 100, 8)

    /// Creates the statement for a query. Returns nil if SQL cannot express the query.
    init?(_ query: RecordQuery, in collection: String) {
        self.collection = Array(collection.utf8)
        after = query.after.map { Array($0.utf8) }
        comparesValues = query.filter != nil || !query.order.isEmpty
        let place = bind(self.collection)
        guard query.order.count <= Self.mostKeys else { return nil }
        var keys: [SortKey] = []
        for part in query.order {
            guard let value = value(of: part.key) else { return nil }
            keys.append(SortKey(value: value, isDescending: part.isDescending))
        }
        if let after {
            let columns = (["r.position"] + keys.enumerated().map { $1.columns($0) }).joined(separator: ", ")
            sql += "WITH a AS MATERIALIZED (SELECT \(columns) FROM viper_record AS r"
            sql += " WHERE r.collection = \(place)::text AND sha256(r.id) = sha256(\(bind(after))::bytea)) "
        }
        sql += "SELECT r.json FROM viper_record AS r WHERE r.collection = \(place)::text"
        if let filter = query.filter {
            var parts = 0
            guard let condition = condition(filter, depth: 0, &parts) else { return nil }
            sql += " AND \(condition)"
        }
        if after != nil { sql += " AND \(Self.start(keys))" }
        sql += " ORDER BY " + (keys.map(\.order) + ["r.position"]).joined(separator: ", ")
        if let limit = query.limit { sql += " LIMIT \(max(0, limit))" }
    }

    /// The statement. Queries differ too much for it to be kept.
    var statement: Statement { Statement(sql, values, isKept: false) }

    /// Adds a value, and returns its placeholder.
    private mutating func bind(_ bytes: [UInt8]) -> String {
        values.append(bytes)
        return "$\(values.count)"
    }

    /// Adds a text, and returns its placeholder. Returns nil if the text contains a NUL character, which PostgreSQL cannot
    /// store.
    private mutating func bind(_ text: String) -> String? {
        text.utf8.contains(0) ? nil : bind(Array(text.utf8)) + "::text"
    }

    private mutating func value(of key: String) -> JSONValue? { bind(key).map { JSONValue(key: $0) } }

    /// Returns a condition in SQL, or nil if SQL cannot express it.
    ///
    /// - Parameters:
    ///   - filter: The condition.
    ///   - depth: The number of conditions that enclose this condition.
    ///   - parts: The number of conditions so far. This method adds 1 for each condition.
    private mutating func condition(_ filter: RecordFilter, depth: Int, _ parts: inout Int) -> String? {
        parts += 1
        guard parts <= Self.mostParts, depth < Self.deepest else { return nil }
        switch filter {
        case .equal(let key, let constant): return comparison(key, "=", constant)
        case .less(let key, let constant): return comparison(key, "<", constant)
        case .greater(let key, let constant): return comparison(key, ">", constant)
        case .contains(let key, let text):
            guard let value = value(of: key), let text = bind(text) else { return nil }
            return value.condition(of: "string", "strpos(\(value.text), \(text)) > 0")
        case .missing(let key): return value(of: key).map { "(coalesce(\($0.kind), 'null') = 'null')" }
        case .all(let filters): return conditions(filters, "true", " AND ", depth: depth, &parts)
        case .any(let filters): return conditions(filters, "false", " OR ", depth: depth, &parts)
        case .not(let filter): return condition(filter, depth: depth + 1, &parts).map { "(NOT \($0))" }
        @unknown default: return nil
        }
    }

    private mutating func conditions(
        _ filters: [RecordFilter], _ neutral: String, _ separator: String, depth: Int, _ parts: inout Int
    ) -> String? {
        var found = [neutral]
        for filter in filters {
            guard let condition = condition(filter, depth: depth + 1, &parts) else { return nil }
            found.append(condition)
        }
        return "(\(found.joined(separator: separator)))"
    }

    private mutating func comparison(_ key: String, _ sign: String, _ constant: ParameterValue) -> String? {
        // Every other number is less or greater than PostgreSQL's NaN.
        if case .number(let number) = constant, number.isNaN { return "false" }
        guard let value = value(of: key) else { return nil }
        switch constant {
        case .boolean(let flag): return value.condition(of: "boolean", "\(value.truth) \(sign) \(flag)")
        case .integer(let whole): return comparison(value, sign, "\(whole)")
        case .number(let number):
            if number.isInfinite { return comparison(value, sign, number > 0 ? "Infinity" : "-Infinity") }
            return comparison(value, sign, Int(exactly: number).map { "\($0)" } ?? "\(number)")
        case .string(let text): return bind(text).map { value.condition(of: "string", "\(value.text) \(sign) \($0)") }
        case .array: return nil
        @unknown default: return nil
        }
    }

    private mutating func comparison(_ value: JSONValue, _ sign: String, _ number: String) -> String {
        value.condition(of: "number", "\(value.number) \(sign) \(bind(Array(number.utf8)))::text::numeric")
    }

    /// Returns the condition that a record comes after the record `a` in the given order.
    private static func start(_ keys: [SortKey]) -> String {
        keys.enumerated().reversed().reduce("r.position > (SELECT position FROM a)") { rest, key in
            let (number, key) = key
            let start = "(SELECT rank\(number), number\(number), text\(number) FROM a)"
            let row = "(\(key.value.rank), \(key.value.sortedNumber), \(key.value.sortedText))"
            return "(\(row) \(key.isDescending ? "<" : ">") \(start) OR (\(row) = \(start) AND \(rest)))"
        }
    }
}

/// A sort key of a query.
private struct SortKey {
    var value: JSONValue
    var isDescending: Bool

    /// Returns the columns of the record `a` for the key at a position in the order.
    func columns(_ number: Int) -> String {
        "\(value.rank) AS rank\(number), \(value.sortedNumber) AS number\(number), \(value.sortedText) AS text\(number)"
    }

    var order: String {
        [value.rank, value.sortedNumber, value.sortedText].map { isDescending ? "\($0) DESC" : $0 }
            .joined(separator: ", ")
    }
}
