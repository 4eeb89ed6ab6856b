import Foundation
import TestSupport
import Testing
import ViperKit
import ViperRuntime

@testable import SQLiteProvider

/// A real process that writes a database, killed with SIGKILL in the middle.
@Suite(.timeLimit(.minutes(2)))
struct SQLiteCrashTests {
    struct Note: Record {
        var id: String
    }

    @Test("a process that is killed while it writes loses nothing acknowledged, and no change is there by half")
    func killed() async throws {
        let scratch = try ScratchFolder()
        let (file, log) = ("\(scratch.path)/records.sqlite", "\(scratch.path)/log")
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [file = file as String, log = log as String] in
                let provider = SQLiteDataProvider(file: file, json: FoundationJSONCoder())
                // The number that was written and not acknowledged may be there, in both collections or in none.
                let ids = Set(try await provider.all(Note.self, in: "a").map(\.id))
                try await KilledWriter.run(log: log) { number in
                    if ids.contains("\(number)") { return }
                    let note = Note(id: "\(number)")
                    try await provider.apply([.insert(note, into: "a"), .insert(note, into: "b")])
                }
            }
            let provider = SQLiteDataProvider(file: file, json: FoundationJSONCoder())
            let first = try await provider.all(Note.self, in: "a").map(\.id)
            let second = try await provider.all(Note.self, in: "b").map(\.id)
            #expect(first == second)
            let acknowledged = try KilledWriter.acknowledgedNumbers(log).map(String.init)
            #expect(!acknowledged.isEmpty)
            #expect(Array(first.prefix(acknowledged.count)) == acknowledged)
            #expect(first.count <= acknowledged.count + 1)
        }
    }
}
