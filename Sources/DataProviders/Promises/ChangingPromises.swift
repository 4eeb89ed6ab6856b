import ViperKit

private let members = [SampleRecord("1", "Ada"), SampleRecord("2", "Eva"), SampleRecord("3", "Ida")]

let changingPromises = [
    ConformanceCheck("insert", "a record whose id already exists is not inserted") { check in
        try await check.provider.apply(members.map { .insert($0, into: "members") })
        try await check.expect(.recordExists, "inserting an id again") {
            try await check.provider.insert(SampleRecord("2", "Another"), into: "members")
        }
        try await check.expect("members", has: members)
        try await check.provider.insert(SampleRecord("2", "Rex"), into: "dogs")
        try await check.expect("dogs", has: [SampleRecord("2", "Rex")])
    },
    ConformanceCheck("replace", "a replaced record keeps its place") { check in
        try await check.provider.apply(members.map { .insert($0, into: "members") })
        try await check.provider.replace(SampleRecord("2", "Eve", number: 7), in: "members")
        try await check.expect("members", has: [members[0], SampleRecord("2", "Eve", number: 7), members[2]])
        try await check.provider.replace(SampleRecord("2", "Eve"), in: "members")
        try await check.expect("members", has: [members[0], SampleRecord("2", "Eve"), members[2]])
    },
    ConformanceCheck("replace-none", "a record that does not exist is not replaced") { check in
        try await check.provider.apply(members.map { .insert($0, into: "members") })
        try await check.expect(.recordMissing, "replacing an unknown id") {
            try await check.provider.replace(SampleRecord("4", "Una"), in: "members")
        }
        try await check.expect(.recordMissing, "replacing in an empty collection") {
            try await check.provider.replace(members[0], in: "dogs")
        }
        try await check.expect("members", has: members)
        try await check.expect("dogs", has: [])
    },
    ConformanceCheck("delete", "a deleted record is missing, and a new one with its id is inserted at the end") {
        check in
        try await check.provider.apply(members.map { .insert($0, into: "members") })
        try await check.provider.delete(id: "1", from: "members")
        try await check.expect("members", has: [members[1], members[2]])
        try await check.expect(
            check.provider.find(SampleRecord.self, id: "1", in: "members"), is: nil, "the deleted record")
        try await check.provider.insert(members[0], into: "members")
        try await check.expect("members", has: [members[1], members[2], members[0]])
        // A provider that derives positions from the number of records would now assign the same position twice.
        try await check.provider.delete(id: "2", from: "members")
        try await check.provider.insert(SampleRecord("4"), into: "members")
        try await check.expect("members", has: [members[2], members[0], SampleRecord("4")])
    },
    ConformanceCheck("delete-last", "a collection whose last record was deleted is empty, and can be used again") {
        check in
        for _ in 0..<2 {
            try await check.provider.insert(members[0], into: "members")
            try await check.provider.delete(id: "1", from: "members")
            try await check.expect("members", has: [])
        }
    },
    ConformanceCheck("delete-none", "a record that does not exist is not deleted") { check in
        try await check.provider.apply(members.map { .insert($0, into: "members") })
        for (id, collection) in [("4", "members"), ("1", "dogs"), ("", "members")] {
            try await check.expect(.recordMissing, "deleting \"\(id)\" from \(collection)") {
                try await check.provider.delete(id: id, from: collection)
            }
        }
        try await check.expect("members", has: members)
    },
]
