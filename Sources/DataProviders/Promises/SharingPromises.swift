import Synchronization
import ViperKit

let sharingPromises = [
    ConformanceCheck("second", "a second provider on the same store sees acknowledged changes at once") { check in
        let (ada, eva) = (SampleRecord("1", "Ada"), SampleRecord("2", "Eva"))
        try await check.provider.insert(ada, into: "members")
        try await check.expect("members", has: [ada])
        try await check.other.insert(eva, into: "members")
        try await check.expect("members", has: [ada, eva])
        try await check.expect(.recordExists, "inserting a record that the other provider inserted") {
            try await check.provider.insert(eva, into: "members")
        }
        try await check.other.delete(id: "1", from: "members")
        try await check.expect(.recordMissing, "deleting a record that the other provider deleted") {
            try await check.provider.delete(id: "1", from: "members")
        }
        try await check.expect("members", has: [eva])
    },
    ConformanceCheck("crowd", "a hundred concurrent inserts lose no record") { check in
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<100 {
                let provider = number % 2 == 0 ? check.provider : check.other
                tasks.addTask { try await provider.insert(SampleRecord("\(number)"), into: "crowd") }
            }
            try await tasks.waitForAll()
        }
        let ids = try await check.provider.all(SampleRecord.self, in: "crowd").compactMap { Int($0.id) }
        try check.expect(ids.sorted(), is: Array(0..<100), "the ids")
    },
    ConformanceCheck("contest", "of many tasks that insert the same id, one succeeds, and the others get an error") {
        check in
        let codes = await withTaskGroup(of: String?.self) { tasks in
            for number in 0..<20 {
                let provider = number % 2 == 0 ? check.provider : check.other
                tasks.addTask {
                    do {
                        try await provider.insert(SampleRecord("1", "\(number)"), into: "contest")
                        return nil
                    } catch {
                        return (error as? ViperError)?.code.name ?? "\(error)"
                    }
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        try check.expect(codes.count { $0 == nil }, is: 1, "the number of successful inserts")
        try check.expect(
            codes.count { $0 == ViperError.Code.recordExists.name }, is: 19, "the number of record-exists errors")
    },
    ConformanceCheck("changes", "a slow observer receives one change, and only of its own collection") { check in
        let streams = ["members", "dogs", "No Name"].map { ($0, check.provider.changes(in: $0)) }
        for number in 1...3 { try await check.provider.insert(SampleRecord("\(number)"), into: "members") }
        for (name, stream) in streams {
            let reader = Task { await stream.reduce(into: []) { $0.append($1) } }
            // A cancelled reader receives only pending changes. There may be none, because a provider need not support
            // observation.
            reader.cancel()
            let changes = await reader.value
            try check.expect(changes.count > (name == "members" ? 1 : 0), is: false, "more changes of \(name)")
            try check.expect(changes.allSatisfy { $0.collection == name }, is: true, "the name in a change of \(name)")
        }
    },
    ConformanceCheck("whole", "a reader sees each concurrent change completely or not at all") { check in
        try await check.provider.insert(SampleRecord("0"), into: "pairs")
        let isWritten = Flag()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                repeat {
                    let records = try await check.other.all(SampleRecord.self, in: "pairs")
                    try check.expect(records.first?.number ?? 0, is: records.count - 1, "the count in the first record")
                } while !isWritten.isSet
            }
            defer { isWritten.set() }
            for number in 1...20 {
                try await check.provider.apply([
                    .insert(SampleRecord("\(number)"), into: "pairs"),
                    .replace(SampleRecord("0", number: number), in: "pairs"),
                ])
            }
        }
        try await check.expect(check.other.all(SampleRecord.self, in: "pairs").count, is: 21, "the number of records")
    },
]

private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
