/// A selection from the records of a collection: filtered, sorted, and read page by page.
///
/// ```swift
/// var query = RecordQuery()
/// query.filter = .greater(Person.CodingKeys.age, .integer(18))
/// query.order = [.ascending(Person.CodingKeys.name)]
/// query.limit = 20
/// let page = try await provider.records(Person.self, in: "people", matching: query)
/// query.after = page.last?.id
/// ```
///
/// Filters and orders use the top-level keys of the stored JSON objects. Pass coding keys of the record's type, so that
/// a misspelt key does not compile.
public struct RecordQuery: Sendable, Equatable {
    /// The condition for records. Nil selects all.
    public var filter: RecordFilter?
    /// The sort keys, the most significant first. Records that are equal in all of them keep their insertion order.
    public var order: [RecordOrder] = []
    /// The maximum number of records. Nil means no limit, and a negative limit means 0.
    public var limit: Int?
    /// The ID of the record before the first one. Nil starts at the first record.
    ///
    /// The next page starts at the right record although other records were inserted or deleted since. The record with
    /// this ID need not match the filter, but it must exist. If its sort keys have changed, the page starts at its new
    /// place.
    public var after: String?
    /// Features of the query in addition to the properties above. Version 1.0 has none.
    ///
    /// A later version adds a feature with each property that changes which records are selected, or their order.
    public var features: Set<Feature> = []

    /// The features of the query and of its sort keys.
    ///
    /// A provider that evaluates queries itself handles a query only if it supports all of its features. It passes
    /// other queries to ``DataProvider/recordsByReadingAll(_:in:matching:)``, which supports those of the host's version.
    public var requiredFeatures: Set<Feature> { order.reduce(into: features) { $0.formUnion($1.features) } }

    /// A feature of a query that a provider must support. This type is a struct, so that features can be added.
    public struct Feature: RawRepresentable, Hashable, Sendable, Codable {
        /// The feature's name, in kebab case.
        public let rawValue: String

        /// Creates a feature with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Creates a query for all records in insertion order.
    public init() {}

    /// Returns the error for a query whose ``after`` is the ID of no record. For implementers of ``DataProvider``.
    public func missingStartError(in collection: String) -> ViperError {
        ViperError(
            .recordMissing, "cannot read records after", after ?? "",
            cause: "the collection \"\(collection)\" has no record with this id",
            recoverySuggestion: "read again from the first record")
    }

    /// Returns the error for a query with features that a provider does not support. For implementers of
    /// ``DataProvider``.
    public func unsupportedFeaturesError(in collection: String) -> ViperError {
        ViperError(
            .queryUnsupported, "cannot read records in", collection,
            cause: "the query needs features that the provider does not support",
            notes: [.init("features", requiredFeatures.map(\.rawValue).sorted().joined(separator: ", "))],
            recoverySuggestion: "use a provider of a later version")
    }
}

/// A condition for a record.
///
/// A condition compares a value of the record with a constant of the same kind: Booleans, numbers or text. It is false
/// for a value of another kind, such as text compared with a number. Null, a missing key, an array and an object equal
/// no constant, and are neither less nor greater.
///
/// - Numbers are compared by their exact value, so 1 equals 1.0. A whole number outside the range of `Int` is rounded
///   to the nearest `Double`. NaN equals no number.
/// - Text is compared by its UTF-8 bytes. Composed and decomposed characters, and cases, are therefore different.
/// - False is less than true.
public indirect enum RecordFilter: Sendable, Equatable {
    /// The value under a key equals a constant.
    case equal(key: String, ParameterValue)
    /// The value under a key is less than a constant.
    case less(key: String, ParameterValue)
    /// The value under a key is greater than a constant.
    case greater(key: String, ParameterValue)
    /// The value under a key is text that contains this text.
    case contains(key: String, String)
    /// The key is missing, or its value is null.
    case missing(key: String)
    /// Each of the conditions is true. True if there is none.
    case all([RecordFilter])
    /// At least one of the conditions is true. False if there is none.
    case any([RecordFilter])
    /// The condition is false.
    case not(RecordFilter)

    /// The value under a key equals a constant.
    public static func equal(_ key: some CodingKey, _ value: ParameterValue) -> Self {
        .equal(key: key.stringValue, value)
    }

    /// The value under a key does not equal a constant. True for a value of another kind, and for a missing key.
    public static func notEqual(_ key: some CodingKey, _ value: ParameterValue) -> Self {
        .not(.equal(key: key.stringValue, value))
    }

    /// The value under a key is less than a constant.
    public static func less(_ key: some CodingKey, _ value: ParameterValue) -> Self {
        .less(key: key.stringValue, value)
    }

    /// The value under a key is greater than a constant.
    public static func greater(_ key: some CodingKey, _ value: ParameterValue) -> Self {
        .greater(key: key.stringValue, value)
    }

    /// The value under a key is text that contains this text.
    public static func contains(_ key: some CodingKey, _ text: String) -> Self {
        .contains(key: key.stringValue, text)
    }

    /// The key is missing, or its value is null.
    public static func missing(_ key: some CodingKey) -> Self { .missing(key: key.stringValue) }
}

/// A sort key with its direction.
///
/// Values are sorted by kind: missing or null first, then Booleans, numbers, text, and last arrays and objects. Within
/// a kind, they are compared as ``RecordFilter`` describes. Arrays and objects are equal to each other.
public struct RecordOrder: Sendable, Equatable {
    /// The top-level key.
    public var key: String
    /// True to reverse the order of the values. Records with equal values keep their insertion order.
    public var isDescending: Bool
    /// Features of the sort key in addition to the properties above. Version 1.0 has none.
    public var features: Set<RecordQuery.Feature> = []

    /// Creates a sort key.
    public init(key: String, isDescending: Bool) { (self.key, self.isDescending) = (key, isDescending) }

    /// Sorts by the value under a key, the least first.
    public static func ascending(_ key: some CodingKey) -> Self {
        Self(key: key.stringValue, isDescending: false)
    }

    /// Sorts by the value under a key, the greatest first.
    public static func descending(_ key: some CodingKey) -> Self {
        Self(key: key.stringValue, isDescending: true)
    }
}
