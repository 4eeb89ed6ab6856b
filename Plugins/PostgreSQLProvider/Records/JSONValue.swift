/// The value of a top-level key of a record in SQL, in the forms in which queries compare it.
///
/// A cast of a value of another kind is an error, so each form is evaluated only for its kind.
struct JSONValue {
    /// The placeholder for the key.
    let key: String

    private var json: String { "(r.value -> \(key))" }

    /// The kind of the value, such as `string`. NULL if the record does not have the key.
    var kind: String { "jsonb_typeof\(json)" }
    /// A text, which is compared by its bytes.
    var text: String { "(r.value ->> \(key)) COLLATE \"C\"" }
    /// A Boolean value.
    var truth: String { "\(json)::boolean" }

    /// A number as ViperKit compares it: an integer in the range of `Int`, or the nearest `Double`.
    ///
    /// PostgreSQL stores the exact decimal number. The text of a `float8` is the shortest one for the same number, as in
    /// Swift, and a `float8` that is in the range of `Int` is an integer again, even if its text has been rounded.
    var number: String {
        let (exact, real) = ("\(json)::numeric", "\(json)::numeric::float8")
        return """
            CASE WHEN \(exact) = trunc(\(exact)) AND \(exact) BETWEEN -9223372036854775808 AND 9223372036854775807 \
            THEN \(exact) WHEN \(real) = trunc(\(real)) AND \(real) >= -9223372036854775808 \
            AND \(real) < 9223372036854775808 THEN \(real)::int8::numeric ELSE \(real)::text::numeric END
            """
    }

    /// Returns a condition that is false for values of other kinds.
    func condition(of kind: String, _ condition: String) -> String {
        "CASE \(self.kind) WHEN '\(kind)' THEN \(condition) ELSE false END"
    }

    /// The rank of the value's kind. Kinds are sorted by rank.
    var rank: String {
        "CASE \(kind) WHEN 'boolean' THEN 1 WHEN 'number' THEN 2 WHEN 'string' THEN 3 "
            + "WHEN 'array' THEN 4 WHEN 'object' THEN 4 ELSE 0 END"
    }

    /// The number by which values of one kind are sorted.
    var sortedNumber: String {
        "CASE \(kind) WHEN 'number' THEN \(number) WHEN 'boolean' THEN \(truth)::int::numeric ELSE 0 END"
    }

    /// The text by which values of one kind are sorted.
    var sortedText: String { "CASE \(kind) WHEN 'string' THEN \(text) ELSE '' COLLATE \"C\" END" }
}
