import ViperKit

let readingPromises = [
    ConformanceCheck("empty", "a new collection is empty") { check in
        try await check.expect("nothing", has: [])
        try await check.expect(
            check.provider.find(SampleRecord.self, id: "1", in: "nothing"), is: nil, "a record in it")
    },
    ConformanceCheck("order", "records keep the order in which they were inserted") { check in
        // The insertion order differs from the sorted order.
        let records = ["10", "9", "b", "a", "11", "Z"].map { SampleRecord($0, "text of \($0)") }
        for record in records { try await check.provider.insert(record, into: "members") }
        try await check.expect("members", has: records)
    },
    ConformanceCheck("batch", "records that are inserted together keep their order") { check in
        let records = (0..<50).map { SampleRecord("\(($0 * 37) % 50)") }
        try await check.provider.apply(records.map { .insert($0, into: "members") })
        try await check.expect("members", has: records)
    },
    ConformanceCheck("find", "a record is found by its id, in its own collection only") { check in
        let (ada, eva) = (SampleRecord("1", "Ada"), SampleRecord("2", "Eva"))
        try await check.provider.apply([.insert(ada, into: "members"), .insert(eva, into: "members")])
        for (id, expected) in [("1", ada), ("2", eva), ("3", nil), ("", nil), ("1 ", nil)] {
            try await check.expect(
                check.provider.find(SampleRecord.self, id: id, in: "members"), is: expected, "find \"\(id)\"")
        }
        try await check.expect(check.provider.find(SampleRecord.self, id: "1", in: "dogs"), is: nil, "find elsewhere")
    },
    ConformanceCheck("apart", "collections are separate, even if one name is a prefix of the other") { check in
        try await check.provider.insert(SampleRecord("1", "a"), into: "a")
        try await check.provider.insert(SampleRecord("1", "a-b"), into: "a-b")
        try await check.expect("a", has: [SampleRecord("1", "a")])
        try await check.expect("a-b", has: [SampleRecord("1", "a-b")])
    },
    ConformanceCheck("type", "reading records as a type that they do not match is an error, and keeps them") { check in
        let record = SampleRecord("1", "Ada")
        try await check.provider.insert(record, into: "members")
        try await check.expect(.recordInvalid, "all as another type") {
            _ = try await check.provider.all(NumericRecord.self, in: "members")
        }
        try await check.expect(.recordInvalid, "find as another type") {
            _ = try await check.provider.find(NumericRecord.self, id: "1", in: "members")
        }
        try await check.expect(
            check.provider.find(NumericRecord.self, id: "2", in: "members")?.id, is: nil, "a missing record")
        try await check.expect("members", has: [record])
    },
    ConformanceCheck("subset", "records can be read as a type that knows fewer of their fields") { check in
        struct Fewer: Record {
            var id: String
        }
        try await check.provider.insert(SampleRecord("1", "Ada", number: 36), into: "members")
        try await check.expect(check.provider.all(Fewer.self, in: "members").map(\.id), is: ["1"], "the ids")
    },
]
