import ViperKit

/// An SQL statement that performs a query and returns the JSON of the selected records.
///
/// SQLite compares values as ``RecordFilter`` requires. It compares integers with doubles by their exact value, and
/// text by its bytes. `json_type` distinguishes values for which `json_extract` returns the same result, such as true
/// and 1. No condition evaluates to NULL, so `NOT` always inverts a condition.
struct RecordSelect: Sendable {
    let collection: [UInt8]
    /// The ID of the record that precedes the first result. Nil if the results start with the first record.
    let after: [UInt8]?
    /// True if the statement compares values in records.
    let comparesValues: Bool
    private(set) var sql = ""
    /// The values for the placeholders, in the order in which the placeholders appear in the statement.
    private(set) var values: [SQLiteValue] = []

    // SQLite's parser overflows at 28 nested conditions or 14 sort keys. An expression may have at most 1000 levels.
    private static let (mostParts, deepest, mostKeys) = (100, 20, 8)

    /// Creates the statement for a query. Returns nil if SQL cannot express the query.
    init?(_ query: RecordQuery, in collection: String) {
        self.collection = Array(collection.utf8)
        after = query.after.map { Array($0.utf8) }
        comparesValues = query.filter != nil || !query.order.isEmpty
        add("SELECT r.json FROM record AS r")
        if let after {
            add(" JOIN record AS a ON a.collection = ? AND a.id = ?", .text(self.collection), .text(after))
        }
        add(" WHERE r.collection = ?", .text(self.collection))
        if let filter = query.filter {
            var parts = 0
            add(" AND ")
            guard add(filter, depth: 0, &parts) else { return nil }
        }
        guard query.order.count <= Self.mostKeys, query.order.allSatisfy({ Self.path($0.key) != nil }) else {
            return nil
        }
        if after != nil {
            add(" AND ")
            addStart(query.order[...])
        }
        add(" ORDER BY ")
        for part in query.order {
            addRank(of: part.key, in: "r")
            add(part.isDescending ? " DESC, " : ", ")
            addValue(of: part.key, in: "r")
            add(part.isDescending ? " DESC, " : ", ")
        }
        add("r.position")
        if let limit = query.limit { add(" LIMIT ?", .integer(Int64(max(0, limit)))) }
    }

    private mutating func add(_ text: String, _ bound: SQLiteValue...) {
        sql += text
        values += bound
    }

    /// Returns the path of a top-level key in SQLite's syntax. Returns nil if JSON text may contain the key in an
    /// escaped form, because SQLite compares the escaped form.
    private static func path(_ key: String) -> SQLiteValue? {
        let isPlain = key.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? .text(Array("$.\"\(key)\"".utf8)) : nil
    }

    /// Adds a condition to the statement.
    ///
    /// - Parameters:
    ///   - filter: The condition.
    ///   - depth: The number of conditions that enclose this condition.
    ///   - parts: The number of conditions so far. This method adds 1 for each condition.
    /// - Returns: False if SQL cannot express the condition.
    private mutating func add(_ filter: RecordFilter, depth: Int, _ parts: inout Int) -> Bool {
        parts += 1
        guard parts <= Self.mostParts, depth < Self.deepest else { return false }
        switch filter {
        case .equal(let key, let constant): return addComparison(key, "=", constant)
        case .less(let key, let constant): return addComparison(key, "<", constant)
        case .greater(let key, let constant): return addComparison(key, ">", constant)
        case .contains(let key, let text):
            guard let path = Self.path(key) else { return false }
            add(
                "(json_type(r.json, ?) IS 'text' AND instr(json_extract(r.json, ?), ?) > 0)", path, path,
                .text(Array(text.utf8)))
        case .missing(let key):
            guard let path = Self.path(key) else { return false }
            add("(coalesce(json_type(r.json, ?), 'null') = 'null')", path)
        case .all(let filters): return add(filters, "1", " AND ", depth: depth, &parts)
        case .any(let filters): return add(filters, "0", " OR ", depth: depth, &parts)
        case .not(let filter):
            add("(NOT ")
            guard add(filter, depth: depth + 1, &parts) else { return false }
            add(")")
        @unknown default: return false
        }
        return true
    }

    private mutating func add(
        _ filters: [RecordFilter], _ neutral: String, _ separator: String, depth: Int, _ parts: inout Int
    ) -> Bool {
        add("(\(neutral)")
        for filter in filters {
            add(separator)
            guard add(filter, depth: depth + 1, &parts) else { return false }
        }
        add(")")
        return true
    }

    private mutating func addComparison(_ key: String, _ sign: String, _ constant: ParameterValue) -> Bool {
        guard let path = Self.path(key) else { return false }
        let (types, value): (String, SQLiteValue)
        switch constant {
        case .boolean(let flag): (types, value) = ("'true', 'false'", .integer(flag ? 1 : 0))
        case .integer(let whole): (types, value) = ("'integer', 'real'", .integer(Int64(whole)))
        // SQLite binds NaN as NULL, so use a condition that is always false.
        case .number(let number) where number.isNaN:
            add("0")
            return true
        case .number(let number): (types, value) = ("'integer', 'real'", .real(number))
        case .string(let text): (types, value) = ("'text'", .text(Array(text.utf8)))
        case .array: return false
        @unknown default: return false
        }
        add(
            "(coalesce(json_type(r.json, ?), 'null') IN (\(types)) AND json_extract(r.json, ?) \(sign) ?)",
            path, path, value)
        return true
    }

    /// Adds the condition that a record comes after the record `a` in the given order.
    private mutating func addStart(_ order: ArraySlice<RecordOrder>) {
        guard let part = order.first else { return add("r.position > a.position") }
        add("(")
        addPair(part.key, part.isDescending ? "<" : ">")
        add(" OR (")
        addPair(part.key, "=")
        add(" AND ")
        addStart(order.dropFirst())
        add("))")
    }

    private mutating func addPair(_ key: String, _ sign: String) {
        for (place, table) in ["r", "a"].enumerated() {
            add(place == 0 ? "(" : " \(sign) (")
            addRank(of: key, in: table)
            add(", ")
            addValue(of: key, in: table)
            add(")")
        }
    }

    /// Adds an expression for the rank of a value's kind. Kinds are sorted by rank.
    private mutating func addRank(of key: String, in table: String) {
        guard let path = Self.path(key) else { return }
        add(
            """
            CASE json_type(\(table).json, ?) WHEN 'true' THEN 1 WHEN 'false' THEN 1 WHEN 'integer' THEN 2 \
            WHEN 'real' THEN 2 WHEN 'text' THEN 3 WHEN 'array' THEN 4 WHEN 'object' THEN 4 ELSE 0 END
            """, path)
    }

    /// Adds an expression for the value of a key. For kinds in which all values count as equal, the expression is 0.
    private mutating func addValue(of key: String, in table: String) {
        guard let path = Self.path(key) else { return }
        add(
            """
            CASE WHEN json_type(\(table).json, ?) IN ('true', 'false', 'integer', 'real', 'text') \
            THEN json_extract(\(table).json, ?) ELSE 0 END
            """, path, path)
    }
}
