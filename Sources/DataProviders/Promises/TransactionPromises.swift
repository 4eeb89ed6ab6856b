import ViperKit

let transactionPromises = [
    ConformanceCheck("together", "changes to several collections are applied together, in order") { check in
        try await check.provider.insert(SampleRecord("1", "Ada"), into: "members")
        try await check.provider.insert(SampleRecord("1", "Rex"), into: "dogs")
        try await check.provider.apply([
            .delete(id: "1", from: "members"),
            .insert(SampleRecord("2", "Eva"), into: "members"),
            .replace(SampleRecord("1", "Max"), in: "dogs"),
            .insert(SampleRecord("1", "Ada again"), into: "members"),
            .replace(SampleRecord("2", "Eve"), in: "members"),
            .insert(SampleRecord("1", "Tom"), into: "cats"),
        ])
        try await check.expect("members", has: [SampleRecord("2", "Eve"), SampleRecord("1", "Ada again")])
        try await check.expect("dogs", has: [SampleRecord("1", "Max")])
        try await check.expect("cats", has: [SampleRecord("1", "Tom")])
    },
    ConformanceCheck("none", "an empty list of changes is not an error") { check in
        try await check.provider.apply([])
        try await check.expect("members", has: [])
    },
    ConformanceCheck("all-or-none", "if one change fails, none is applied, whatever its position") { check in
        let (ada, rex) = (SampleRecord("1", "Ada"), SampleRecord("1", "Rex"))
        try await check.provider.apply([.insert(ada, into: "members"), .insert(rex, into: "dogs")])
        let good: [DataChange] = [
            .insert(SampleRecord("2"), into: "members"), .replace(SampleRecord("1", "Max"), in: "dogs"),
            .insert(SampleRecord("1"), into: "cats"), .delete(id: "1", from: "members"),
        ]
        let bad: [(DataChange, ViperError.Code)] = [
            (.insert(SampleRecord("1", "Ben"), into: "dogs"), .recordExists),
            (.replace(SampleRecord("9"), in: "members"), .recordMissing),
            (.delete(id: "9", from: "cats"), .recordMissing),
            (.insert(SampleRecord(""), into: "members"), .recordInvalid),
            (.insert(SampleRecord("9"), into: "No Name"), .recordInvalid),
            (.insert(EndlessRecord(id: "9"), into: "members"), .recordInvalid),
        ]
        for place in 0...good.count {
            for (change, code) in bad {
                var changes = good
                changes.insert(change, at: place)
                try await check.expect(code, "\(change) at place \(place)") { try await check.provider.apply(changes) }
                try await check.expect("members", has: [ada])
                try await check.expect("dogs", has: [rex])
                try await check.expect("cats", has: [])
            }
        }
        try await check.provider.apply(good)
        try await check.expect("members", has: [SampleRecord("2")])
    },
    ConformanceCheck("within", "a change sees the changes before it, not those after it") { check in
        try await check.expect(.recordExists, "inserting an id twice") {
            try await check.provider.apply([
                .insert(SampleRecord("1"), into: "members"), .insert(SampleRecord("1"), into: "members"),
            ])
        }
        try await check.expect(.recordMissing, "replacing a record that is inserted later") {
            try await check.provider.apply([
                .replace(SampleRecord("1"), in: "members"), .insert(SampleRecord("1"), into: "members"),
            ])
        }
        try await check.expect(.recordMissing, "deleting twice") {
            try await check.provider.apply([
                .insert(SampleRecord("1"), into: "members"), .delete(id: "1", from: "members"),
                .delete(id: "1", from: "members"),
            ])
        }
        try await check.expect("members", has: [])
    },
]

/// A record that cannot be encoded, because JSON cannot represent infinity.
struct EndlessRecord: Record {
    var id: String
    var value = Double.infinity
}
