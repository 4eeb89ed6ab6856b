import ViperKit

let namePromises = [
    ConformanceCheck("good-names", "a collection name may contain lowercase letters, digits and hyphens") { check in
        let names = ["a", "todo-list", "x2", "select", "con", "lock", "journal", String(repeating: "n", count: 64)]
        for name in names { try await check.provider.insert(SampleRecord("1", name), into: name) }
        for name in names { try await check.expect(name, has: [SampleRecord("1", name)]) }
    },
    ConformanceCheck("bad-names", "every call with another collection name is an error") { check in
        let names = [
            "", " ", "Members", "a b", "a_b", "a.b", "a/b", "../a", ".", "..", "/a", "a-", "-a", "a--b", "1a", "ä",
            "a\u{0}",
            "a\n", "a'b", "a\"b", "e\u{301}", String(repeating: "n", count: 65),
        ]
        for name in names {
            try await check.expect(.recordInvalid, "all in \"\(name)\"") {
                _ = try await check.provider.all(SampleRecord.self, in: name)
            }
            try await check.expect(.recordInvalid, "find in \"\(name)\"") {
                _ = try await check.provider.find(SampleRecord.self, id: "1", in: name)
            }
            try await check.expect(.recordInvalid, "insert into \"\(name)\"") {
                try await check.provider.insert(SampleRecord("1"), into: name)
            }
            try await check.expect(.recordInvalid, "replace in \"\(name)\"") {
                try await check.provider.replace(SampleRecord("1"), in: name)
            }
            try await check.expect(.recordInvalid, "delete from \"\(name)\"") {
                try await check.provider.delete(id: "1", from: name)
            }
        }
    },
]
