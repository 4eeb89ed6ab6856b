/// A query that filters and sorts the records of a collection, and reads them page by page.
///
/// ```swift
/// var query = RecordQuery()
/// query.filter = .greater(key: "age", .integer(18))
/// query.order = [RecordOrder(key: "name")]
/// query.limit = 20
/// let page = try await provider.records(Person.self, in: "people", matching: query)
/// query.after = page.last?.id
/// ```
///
/// Filters and sort keys refer to top-level keys of the stored JSON objects. A key that no record has is missing in all
/// of them. To let the compiler check the spelling, pass `Person.CodingKeys.age.stringValue`.
public struct RecordQuery: Sendable, Equatable {
    /// The condition that selects records. If nil, the query selects all records.
    public var filter: RecordFilter?
    /// The sort keys, with the most significant key first. Records that are equal in all sort keys keep their insertion
    /// order.
    public var order: [RecordOrder] = []
    /// The maximum number of records. Nil means no limit, and a negative limit means 0.
    public var limit: Int?
    /// The ID of the record that precedes the page. If nil, the page starts at the first record.
    ///
    /// The page starts at the correct record even if other records were inserted or deleted after the previous page was
    /// read. The record with this ID must exist, but it need not match the filter. If the values of its sort keys have
    /// changed, the page starts after the record's new position.
    public var after: String?
    /// Creates a query for all records in insertion order.
    public init() {}

    /// Returns the error for a query if no record has the ID in ``after``. Implementers of ``DataProvider`` throw this
    /// error.
    public func missingStartError(in collection: String) -> ViperError {
        ViperError(
            .recordMissing, operation: "cannot read records after", subject: after ?? "",
            cause: "the collection \"\(collection)\" has no record with this id",
            fix: "read again from the first record")
    }
}

/// A condition that selects records.
///
/// A comparison is true only if the record's value and the constant are of the same kind: Boolean values, numbers, or
/// text. For example, text never equals a number. Null, missing keys, arrays, and objects are not equal to, less than,
/// or greater than any constant.
///
/// - Numbers are compared by their exact value, so 1 equals 1.0. A whole number outside the range of `Int` is rounded
///   to the nearest `Double`. NaN does not equal any number.
/// - Text is compared by its UTF-8 bytes. Composed and decomposed characters therefore differ, and so do uppercase and
///   lowercase letters.
/// - False is less than true.
///
/// A filter may have up to 1,000 conditions inside each other. Providers refuse a deeper filter with the code
/// ``ViperError/Code/recordInvalid``. Do not build filters with ten thousands of levels: the process ends when it frees
/// one, because Swift frees nested values recursively.
public indirect enum RecordFilter: Sendable, Equatable {
    /// The value of a key equals a constant.
    case equal(key: String, ParameterValue)
    /// The value of a key is less than a constant.
    case less(key: String, ParameterValue)
    /// The value of a key is greater than a constant.
    case greater(key: String, ParameterValue)
    /// The value of a key is text that contains the given text.
    case contains(key: String, String)
    /// A key is missing, or its value is null.
    case missing(key: String)
    /// All conditions are true, or there are no conditions.
    case all([RecordFilter])
    /// At least one condition is true. False if there are no conditions.
    case any([RecordFilter])
    /// The condition is false.
    case not(RecordFilter)
}

/// A sort key with its direction.
///
/// Values are sorted by kind: first missing keys and null, then Boolean values, numbers, text, and finally arrays and
/// objects. Values of the same kind are compared as described in ``RecordFilter``. All arrays and objects are
/// considered equal.
public struct RecordOrder: Sendable, Equatable {
    /// The top-level key of the values to compare.
    public var key: String
    /// A Boolean value that indicates whether the greatest value comes first. In both orders, records with equal values
    /// keep their insertion order.
    public var isDescending: Bool

    /// Creates a sort key. By default, the smallest value comes first.
    public init(key: String, isDescending: Bool = false) { (self.key, self.isDescending) = (key, isDescending) }
}
