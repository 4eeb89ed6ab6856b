import ViperKit

let recordPromises = [
    ConformanceCheck("texts", "a text is returned byte for byte, whatever it contains") { check in
        let texts = [
            "", " ", "Zoë 日本語 🇩🇪👩‍👩‍👧", "caf\u{E9}", "cafe\u{301}", "\u{0}", "a\u{0}b", "\u{1}\u{1F}\u{7F}",
            "line\nline\r\n\ttab", "\u{2028}\u{2029}\u{FEFF}\u{FFFF}\u{10FFFF}", #"quotes " ' ` \ / </script>"#,
            "'; DROP TABLE record; --", "%s %d ? :id $1 @x", #"{"id": "2"}"#, "\u{202E}abc",
        ]
        let records = texts.enumerated().map { SampleRecord("\($0.offset)", $0.element) }
        for record in records { try await check.provider.insert(record, into: "texts") }
        try await check.expect("texts", has: records)
    },
    ConformanceCheck("ids", "any text that is not empty is an id, and two ids are equal only if their bytes are") {
        check in
        let ids = [
            "a/b", "../a", ".", "..", "a b", " ", "a?b=c&d#e", "%2F", "\"", "'", "\\", "日本", "caf\u{E9}", "cafe\u{301}",
            "\n", "a\u{0}b", "a", "A", "0", "00", "0.0", "-", "*", "null", "🇩🇪", String(repeating: "long ", count: 60),
        ]
        let records = ids.map { SampleRecord($0, "text of \($0)") }
        for record in records { try await check.provider.insert(record, into: "ids") }
        try await check.expect("ids", has: records)
        for record in records {
            try await check.expect(
                check.provider.find(SampleRecord.self, id: record.id, in: "ids"), is: record, "find")
            try await check.provider.replace(SampleRecord(record.id, "new"), in: "ids")
        }
        try await check.expect("ids", has: ids.map { SampleRecord($0, "new") })
        for id in ids { try await check.provider.delete(id: id, from: "ids") }
        try await check.expect("ids", has: [])
    },
    ConformanceCheck("bytes", "ids that only look equal are different: a change to one does not affect the other") {
        check in
        let (composed, decomposed) = (SampleRecord("caf\u{E9}", "one"), SampleRecord("cafe\u{301}", "two"))
        try await check.provider.insert(composed, into: "words")
        try await check.expect(
            check.provider.find(SampleRecord.self, id: decomposed.id, in: "words"), is: nil, "find of the other id")
        try await check.expect(.recordMissing, "replacing the other id") {
            try await check.provider.replace(decomposed, in: "words")
        }
        try await check.expect(.recordMissing, "deleting the other id") {
            try await check.provider.delete(id: decomposed.id, from: "words")
        }
        try await check.provider.apply([.insert(decomposed, into: "words"), .delete(id: composed.id, from: "words")])
        try await check.expect("words", has: [decomposed])
    },
    ConformanceCheck("encoded", "a record is stored as it is encoded, also with keys that are not stored properties") {
        check in
        struct Titled: Record {
            var id: String
            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(id, forKey: .id)
                try values.encode("text of \(id)", forKey: .text)
            }
            init(id: String) { self.id = id }
            init(from decoder: any Decoder) throws {
                id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
            }
            enum CodingKeys: CodingKey { case id, text }
        }
        try await check.provider.insert(Titled(id: "1"), into: "titles")
        try await check.expect("titles", has: [SampleRecord("1", "text of 1")])
    },
    ConformanceCheck("numbers", "numbers, nested values and missing keys are returned unchanged") { check in
        let records = [
            WideRecord(id: "1"),
            WideRecord(
                id: "2", whole: .min, unsigned: .max, real: .leastNonzeroMagnitude, truth: true,
                list: [nil, 0, -1], words: ["": "", "id": "9", "ä/\"": "ö"], inner: [.init(name: "x", inner: [])]),
            WideRecord(id: "3", whole: .max, real: -.greatestFiniteMagnitude, inner: [.deep(100)]),
            WideRecord(id: "4", real: 0.1 + 0.2),
        ]
        for record in records { try await check.provider.insert(record, into: "wide") }
        try await check.expect(check.other.all(WideRecord.self, in: "wide"), is: records, "all")
        try await check.expect(check.other.find(WideRecord.self, id: "3", in: "wide"), is: records[2], "find")
    },
    ConformanceCheck("large", "a record of one mebibyte and a thousand small records can be stored") { check in
        let line = String(repeating: "large ü ", count: 16) + "\n"
        let large = SampleRecord("large", String(repeating: line, count: (1 << 20) / line.utf8.count))
        let many = (0..<1000).map { (number: Int) in SampleRecord("\(number)", "text of \(number)", number: number) }
        try await check.provider.insert(large, into: "large")
        try await check.provider.apply(many.map { .insert($0, into: "large") })
        try await check.expect("large", has: [large] + many)
    },
    ConformanceCheck("invalid", "a record that cannot be stored is an error, and nothing is stored") { check in
        struct Unnamed: Record {
            var id: String
            func encode(to encoder: any Encoder) throws {
                var values = encoder.singleValueContainer()
                try values.encode(id)
            }
        }
        struct Renamed: Record {
            var id: String
            enum CodingKeys: String, CodingKey {
                case id = "number"
            }
        }
        let record = SampleRecord("1", "Ada")
        try await check.provider.insert(record, into: "members")
        let invalid: [(any Record, String)] = [
            (SampleRecord(""), "a record with an empty id"), (EndlessRecord(id: "2"), "an infinite number"),
            (Unnamed(id: "2"), "a record that is not encoded as an object"),
            (Renamed(id: "2"), "a record that is encoded without \"id\""),
            (DisguisedRecord(id: "2", as: "3"), "a record that is encoded with another id"),
            (DisguisedRecord(id: "2", as: 2), "a record whose id is encoded as a number"),
            (DisguisedRecord(id: "2", as: [String: String]()), "a record whose id is encoded as an object"),
            (DisguisedRecord(id: "2", as: String?.none), "a record whose id is encoded as null"),
            (DisguisedRecord(id: "caf\u{E9}", as: "cafe\u{301}"), "a record whose id is encoded with other bytes"),
        ]
        for (record, subject) in invalid {
            try await check.expect(.recordInvalid, "inserting \(subject)") {
                try await check.provider.insert(record, into: "members")
            }
        }
        // The records to replace exist, so only the new record can cause a failure.
        let there = [SampleRecord("2", "Eva"), SampleRecord("caf\u{E9}", "Ida")]
        try await check.provider.apply(there.map { .insert($0, into: "members") })
        for (record, subject) in invalid {
            try await check.expect(.recordInvalid, "replacing by \(subject)") {
                try await check.provider.replace(record, in: "members")
            }
        }
        try await check.expect("members", has: [record] + there)
    },
]

/// A record whose encoded `id` differs from its ID.
private struct DisguisedRecord<Shown: Codable & Sendable>: Record {
    var id: String
    var shown: Shown

    init(id: String, as shown: Shown) { (self.id, self.shown) = (id, shown) }

    init(from decoder: any Decoder) throws {
        shown = try decoder.container(keyedBy: CodingKeys.self).decode(Shown.self, forKey: .id)
        id = ""
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(shown, forKey: .id)
    }

    private enum CodingKeys: CodingKey { case id }
}

private struct WideRecord: Record, Equatable {
    struct Inner: Codable, Equatable {
        var name: String
        var inner: [Inner]

        static func deep(_ levels: Int) -> Inner {
            (0..<levels).reduce(Inner(name: "", inner: [])) { Inner(name: "\($1)", inner: [$0]) }
        }
    }

    var id: String
    var whole = 0
    var unsigned: UInt64?
    var real = 0.0
    var truth: Bool?
    var list: [Int?] = []
    var words: [String: String] = [:]
    var inner: [Inner]?
}
