import Glibc
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import PostgreSQLProvider

/// Processes that are killed while they write: the host, and the server.
@Suite(.needs(.postgreSQL), .fewAtOnce, .hangLimit)
struct PostgreSQLCrashTests {
    private struct Note: Record {
        var id: String
    }

    @Test("A killed process loses no acknowledged change and leaves no partial change")
    func killed() async throws {
        let (database, scratch) = (try await SharedPostgreSQL.database(), try ScratchFolder())
        let log = "\(scratch.path)/log"
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [database = database as String, log = log as String] in
                try await KilledWriter.run(PostgreSQLDataProvider(patientWith: database), log: log)
            }
            // The server may still be executing what the killed process has sent.
            let server = try await SharedPostgreSQL.server()
            let busy = """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            #expect(try await eventually { try await server.sql(busy, in: database) == "0\n" })
            try await KilledWriter.expectAll(in: PostgreSQLDataProvider(patientWith: database), log: log)
        }
    }

    private final class Progress: Sendable {
        let count = Atomic(0)
        let isEnded = Atomic(false)
    }

    @Test(
        "While the server is stopped or killed and starts again, calls wait, and each change is made once", .long,
        arguments: [SIGINT, SIGQUIT, SIGKILL])
    func server(signal: Int32) async throws {
        let server = try await PostgreSQLServer()
        let database = try await server.database()
        let provider = try PostgreSQLDataProvider(patientWith: database)
        let progress = Progress()
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    var number = 0
                    // Each inserted record would exist if a lost commit was repeated although it had succeeded.
                    while !progress.isEnded.load(ordering: .relaxed) {
                        let note = Note(id: "\(writer)-\(number)")
                        try await provider.apply([.insert(note, into: "a"), .insert(note, into: "b")])
                        number += 1
                        progress.count.add(1, ordering: .relaxed)
                    }
                }
            }
            for _ in 0..<4 {
                let before = progress.count.load(ordering: .relaxed)
                let isMoving = await eventually { progress.count.load(ordering: .relaxed) > before + 20 }
                #expect(isMoving)
                // A crash of the machine also kills the processes of the server's clients.
                if signal == SIGKILL { try server.signalAll(SIGKILL) }
                server.end(signal)
                try await server.start()
            }
            progress.isEnded.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        let (first, second) = (
            try await provider.all(Note.self, in: "a").map(\.id), try await provider.all(Note.self, in: "b").map(\.id)
        )
        #expect(first == second && first.count == progress.count.load(ordering: .relaxed))
        for writer in 0..<4 {
            let own = first.filter { $0.hasPrefix("\(writer)-") }
            #expect(own == own.indices.map { "\(writer)-\($0)" })
        }
    }
}
