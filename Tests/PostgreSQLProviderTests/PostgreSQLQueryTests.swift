import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import PostgreSQLProvider

/// Queries that PostgreSQL evaluates, compared with the evaluation in memory.
@Suite(.needs(.postgreSQL), .fewAtOnce, .hangLimit)
struct PostgreSQLQueryTests {
    private struct Thing: Record, Equatable {
        var id: String
        var text: String?
        var number: Double?
        var flag: Bool?
    }

    /// A generator with a seed, so that a failure can be repeated (SplitMix64).
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }

        mutating func one<Value>(of values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }
    }

    /// Stores the text of a thing as its JSON.
    private struct Verbatim: JSONCoder {
        func decode<Value: Decodable>(
            _ type: Value.Type, from json: [UInt8], named name: String
        ) throws(ViperError) -> Value { try FoundationJSONCoder().decode(type, from: json, named: name) }

        func encode(_ value: any Encodable) throws(ViperError) -> [UInt8] {
            Array(((value as? Thing)?.text ?? "").utf8)
        }
    }

    private static let keys = ["id", "text", "number", "flag", "none"]
    private static let texts = ["", "a", "b", "ab", "é", "e\u{301}", "日本", "\u{1}\u{2028}", "🇩🇪"]
    private static let numbers = [-1, 0, 1, 2, 1.5, 0x1p53, 1e300, -1e-300]

    private static func constant(_ generator: inout Generator) -> ParameterValue {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .string(generator.one(of: texts))
        case 1: .integer(Int.random(in: -1...2, using: &generator))
        case 2: .number(generator.one(of: numbers + [.infinity, .nan]))
        default: .boolean(Bool.random(using: &generator))
        }
    }

    private static func filter(_ generator: inout Generator, depth: Int = 0) -> RecordFilter {
        let key = generator.one(of: keys)
        switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &generator) {
        case 0: return .equal(key: key, constant(&generator))
        case 1: return .less(key: key, constant(&generator))
        case 2: return .greater(key: key, constant(&generator))
        case 3: return .contains(key: key, generator.one(of: texts))
        case 4: return .missing(key: key)
        case 5: return .not(filter(&generator, depth: depth + 1))
        case let kind:
            let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                filter(&generator, depth: depth + 1)
            }
            return kind == 6 ? .all(parts) : .any(parts)
        }
    }

    @Test("PostgreSQL selects the same records in the same order as the evaluation in memory")
    func agreement() async throws {
        let provider = try PostgreSQLDataProvider(patientWith: await SharedPostgreSQL.database())
        var generator = Generator(state: 7)
        let things = (0..<60).map { number in
            Thing(
                id: "\(number)", text: generator.one(of: Self.texts + [nil, nil]),
                number: generator.one(of: Self.numbers + [nil, nil]), flag: generator.one(of: [nil, true, false]))
        }
        try await provider.apply(things.map { .insert($0, into: "things") })
        var count = 0
        for _ in 0..<500 {
            var query = RecordQuery()
            if Bool.random(using: &generator) { query.filter = Self.filter(&generator) }
            query.order = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                RecordOrder(key: generator.one(of: Self.keys), isDescending: Bool.random(using: &generator))
            }
            query.limit = generator.one(of: [nil, 1, 10])
            query.after = generator.one(of: [nil, "0", "30", "59"])
            #expect(RecordSelect(query, in: "things") != nil)
            let found = try await provider.records(Thing.self, in: "things", matching: query)
            let expected = try await provider.recordsByReadingAll(Thing.self, in: "things", matching: query)
            try #require(found == expected, "\(query)")
            count += found.count
        }
        #expect(count > 1000)
    }

    @Test("Numbers with a fraction of zero are equal to whole numbers, however they are written")
    func written() async throws {
        let provider = try PostgreSQLDataProvider(patientWith: await SharedPostgreSQL.database(), json: Verbatim())
        for (id, number) in [("1", "1.0"), ("2", "1"), ("3", "10E-1"), ("4", "1.00000000000000001"), ("5", "1.1")] {
            let json = #"{"id": "\#(id)", "number": \#(number)}"#
            try await provider.insert(Thing(id: id, text: json), into: "things")
        }
        var query = RecordQuery()
        for constant in [.integer(1), .number(1)] as [ParameterValue] {
            query.filter = .equal(key: "number", constant)
            for found in [
                try await provider.records(Thing.self, in: "things", matching: query),
                try await provider.recordsByReadingAll(Thing.self, in: "things", matching: query),
            ] { #expect(found.map(\.id) == ["1", "2", "3", "4"]) }
        }
    }

    @Test("A query that PostgreSQL cannot evaluate alike is evaluated in memory")
    func fallback() {
        var query = RecordQuery()
        query.order = [RecordOrder(key: "a\u{0}")]
        #expect(RecordSelect(query, in: "things") == nil)
        query.order = []
        query.filter = .less(key: "a", .string("\u{0}"))
        #expect(RecordSelect(query, in: "things") == nil)
        query.filter = .any(Array(repeating: .missing(key: "a"), count: 900))
        #expect(RecordSelect(query, in: "things") != nil)
        query.filter = .any(Array(repeating: .missing(key: "a"), count: 2000))
        #expect(RecordSelect(query, in: "things") == nil)
    }

    @Test("A number out of the range of Double is compared in memory, and does not hide other records")
    func outOfRange() async throws {
        let provider = try PostgreSQLDataProvider(patientWith: await SharedPostgreSQL.database(), json: Verbatim())
        for (id, number) in [("1", "1e400"), ("2", "1e-400"), ("3", "3")] {
            let json = #"{"id": "\#(id)", "number": \#(number)}"#
            try await provider.insert(Thing(id: id, text: json), into: "things")
        }
        var query = RecordQuery()
        query.filter = .greater(key: "number", .integer(1))
        #expect(try await provider.records(Thing.self, in: "things", matching: query).map(\.id) == ["3"])
    }

    @Test("The most complex queries that are translated are within PostgreSQL's limits")
    func deepest() async throws {
        let provider = try PostgreSQLDataProvider(patientWith: await SharedPostgreSQL.database())
        try await provider.insert(Thing(id: "1"), into: "things")
        var query = RecordQuery()
        query.after = "1"
        for count in 0...9 {
            query.order = Array(repeating: RecordOrder(key: "text"), count: count)
            #expect((RecordSelect(query, in: "things") != nil) == (count <= 8))
            #expect(try await provider.records(Thing.self, in: "things", matching: query) == [])
        }
        (query.after, query.order) = (nil, [])
        for combine in [{ .not($0) }, { .all([$0]) }, { .any([$0]) }] as [@Sendable (RecordFilter) -> RecordFilter] {
            var filter = RecordFilter.greater(key: "id", .string(""))
            for count in 0...100 {
                query.filter = filter
                #expect((RecordSelect(query, in: "things") != nil) == (count < 100))
                if count % 10 == 9 { _ = try await provider.records(Thing.self, in: "things", matching: query) }
                filter = combine(filter)
            }
        }
    }
}
