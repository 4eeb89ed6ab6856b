import ViperKit

private let people = [SampleRecord("1", "Ada"), SampleRecord("2", "Eva"), SampleRecord("3", "Ida")]

let changingPromises = [
    ProviderPromise("insert", "a record whose id is there already is not inserted") { check in
        try await check.provider.apply(people.map { .insert($0, into: "people") })
        try await check.expect(.recordExists, "inserting an id again") {
            try await check.provider.insert(SampleRecord("2", "Another"), into: "people")
        }
        try await check.expect("people", has: people)
        try await check.provider.insert(SampleRecord("2", "Rex"), into: "dogs")
        try await check.expect("dogs", has: [SampleRecord("2", "Rex")])
    },
    ProviderPromise("replace", "a replaced record keeps its place") { check in
        try await check.provider.apply(people.map { .insert($0, into: "people") })
        try await check.provider.replace(SampleRecord("2", "Eve", number: 7), in: "people")
        try await check.expect("people", has: [people[0], SampleRecord("2", "Eve", number: 7), people[2]])
        try await check.provider.replace(SampleRecord("2", "Eve"), in: "people")
        try await check.expect("people", has: [people[0], SampleRecord("2", "Eve"), people[2]])
    },
    ProviderPromise("replace-none", "a record that is not there is not replaced") { check in
        try await check.provider.apply(people.map { .insert($0, into: "people") })
        try await check.expect(.recordMissing, "replacing an unknown id") {
            try await check.provider.replace(SampleRecord("4", "Una"), in: "people")
        }
        try await check.expect(.recordMissing, "replacing in an empty collection") {
            try await check.provider.replace(people[0], in: "dogs")
        }
        try await check.expect("people", has: people)
        try await check.expect("dogs", has: [])
    },
    ProviderPromise("delete", "a deleted record is gone, and one with its id is inserted at the end") { check in
        try await check.provider.apply(people.map { .insert($0, into: "people") })
        try await check.provider.delete(id: "1", from: "people")
        try await check.expect("people", has: [people[1], people[2]])
        try await check.expect(
            check.provider.find(SampleRecord.self, id: "1", in: "people"), is: nil, "the deleted record")
        try await check.provider.insert(people[0], into: "people")
        try await check.expect("people", has: [people[1], people[2], people[0]])
        // Places that were counted from the records' number would now clash.
        try await check.provider.delete(id: "2", from: "people")
        try await check.provider.insert(SampleRecord("4"), into: "people")
        try await check.expect("people", has: [people[2], people[0], SampleRecord("4")])
    },
    ProviderPromise("delete-last", "a collection whose last record was deleted is empty, and can be used again") {
        check in
        for _ in 0..<2 {
            try await check.provider.insert(people[0], into: "people")
            try await check.provider.delete(id: "1", from: "people")
            try await check.expect("people", has: [])
        }
    },
    ProviderPromise("delete-none", "a record that is not there is not deleted") { check in
        try await check.provider.apply(people.map { .insert($0, into: "people") })
        for (id, collection) in [("4", "people"), ("1", "dogs"), ("", "people")] {
            try await check.expect(.recordMissing, "deleting \"\(id)\" from \(collection)") {
                try await check.provider.delete(id: id, from: collection)
            }
        }
        try await check.expect("people", has: people)
    },
]
