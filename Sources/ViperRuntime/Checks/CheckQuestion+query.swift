import ViperKit

extension CheckQuestion {
    /// A record query in the form that is sent to a check process.
    struct Query: Codable, Sendable {
        struct Order: Codable, Sendable {
            var key: String
            var isDescending: Bool

            init(_ order: RecordOrder) {
                (key, isDescending) = (order.key, order.isDescending)
            }

            var order: RecordOrder { RecordOrder(key: key, isDescending: isDescending) }
        }

        var filter: Filter?
        var order: [Order]
        var limit: Int?
        var after: String?

        init(_ query: RecordQuery) throws(ViperError) {
            if let filter = query.filter { self.filter = try Filter(filter) }
            order = query.order.map { Order($0) }
            (limit, after) = (query.limit, query.after)
        }

        var query: RecordQuery {
            var query = RecordQuery()
            query.filter = filter?.filter
            query.order = order.map(\.order)
            (query.limit, query.after) = (limit, after)
            return query
        }
    }

    indirect enum Filter: Codable, Sendable {
        case equal(String, Constant)
        case less(String, Constant)
        case greater(String, Constant)
        case contains(String, String)
        case missing(String)
        case all([Filter])
        case any([Filter])
        case not(Filter)

        init(_ filter: RecordFilter) throws(ViperError) {
            switch filter {
            case .equal(let key, let constant): self = .equal(key, Constant(constant))
            case .less(let key, let constant): self = .less(key, Constant(constant))
            case .greater(let key, let constant): self = .greater(key, Constant(constant))
            case .contains(let key, let text): self = .contains(key, text)
            case .missing(let key): self = .missing(key)
            case .all(let filters): self = .all(try Self.list(filters))
            case .any(let filters): self = .any(try Self.list(filters))
            case .not(let filter): self = .not(try Filter(filter))
            @unknown default:
                throw ViperError(
                    .storeFailed, operation: "cannot send", subject: "\(filter)", cause: "the check has no such filter")
            }
        }

        private static func list(_ filters: [RecordFilter]) throws(ViperError) -> [Filter] {
            var list: [Filter] = []
            for filter in filters { list.append(try Filter(filter)) }
            return list
        }

        var filter: RecordFilter {
            switch self {
            case .equal(let key, let constant): .equal(key: key, constant.parameter)
            case .less(let key, let constant): .less(key: key, constant.parameter)
            case .greater(let key, let constant): .greater(key: key, constant.parameter)
            case .contains(let key, let text): .contains(key: key, text)
            case .missing(let key): .missing(key: key)
            case .all(let filters): .all(filters.map(\.filter))
            case .any(let filters): .any(filters.map(\.filter))
            case .not(let filter): .not(filter.filter)
            }
        }
    }

    /// A constant in a filter. JSON can represent neither infinity nor NaN, so a number is sent as its bits.
    enum Constant: Codable, Sendable {
        case value(Value)
        case bits(UInt64)

        init(_ value: ParameterValue) {
            if case .number(let number) = value { self = .bits(number.bitPattern) } else { self = .value(Value(value)) }
        }

        var parameter: ParameterValue {
            switch self {
            case .value(let value): value.parameter
            case .bits(let bits): .number(Double(bitPattern: bits))
            }
        }
    }
}
