import Foundation
import HostDriver
import Synchronization

/// A scenario in which three hosts share a PostgreSQL database. Eight clients add people while hosts are killed and started,
/// and an observer compares an open list in one host with what another one adds.
enum Postgres: Scenario {
    static let name = "postgres"
    private static let clients = 8
    /// The age of the people that the observer adds. The list shows only these.
    private static let markedAge = 130

    static func run(isShort: Bool) async throws -> String {
        guard PostgreSQLServer.isAvailable,
            FileManager.default.fileExists(atPath: "\(Products.folder)/libPostgreSQLProvider.so")
        else { throw NotShown("PostgreSQL or the module postgresql is missing") }
        let server = try await PostgreSQLServer(options: ["fsync=on"])
        let database = try await server.database()
        let nodes = try (1...3).map { _ in try Node(database) }
        for node in nodes { try await node.start() }
        let (stop, book) = (Stop(), Book())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { stop.call() }
            for client in 0..<clients {
                group.addTask { try await addPeople(client, at: nodes, book, until: stop) }
            }
            group.addTask { try await observe(nodes, server, database, book, until: stop) }
            let end = ContinuousClock.now + .seconds(isShort ? 6 : 300)
            var killed = 0
            // Each of the three hosts is killed a few times also in a short run.
            while .now < end || killed < 4 {
                try await Task.sleep(for: .milliseconds(Int.random(in: 500...(isShort ? 1_000 : 4_000))))
                try await nodes[killed % 3].kill()
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...1_000)))
                try await nodes[killed % 3].start()
                killed += 1
            }
            stop.call()
            try await group.waitForAll()
            return "\(killed) of 3 hosts killed under \(clients) clients: "
                + (try await compare(book, with: server, database))
        }
    }

    private static func addPeople(_ client: Int, at nodes: [Node], _ book: Book, until stop: Stop) async throws {
        var (place, number) = (client, 0)
        while !stop.isCalled {
            let node = nodes[place % nodes.count]
            do {
                let connection = try node.client()
                while !stop.isCalled {
                    number += 1
                    let name = "c\(client)-\(number)"
                    book.begin(name)
                    let begin = ContinuousClock.now
                    let isAdded: Bool?
                    do { isAdded = try await add(name, age: 30, connection) } catch let failure as Failure {
                        throw failure
                    } catch {
                        // The connection has ended.
                        isAdded = nil
                    }
                    try expect(ContinuousClock.now - begin < .seconds(60), "the client of \(name) waited for a minute")
                    guard let isAdded else { break }
                    if isAdded { book.acknowledge(name) } else { book.refuse(name) }
                }
            } catch is ChildFailure {
                // The host does not run at this moment.
                try await Task.sleep(for: .milliseconds(20))
            }
            place += 1
        }
    }

    /// Adds a person. Returns false if the host answers with an error or an alert.
    ///
    /// - Throws: An error if the connection ends before the answer.
    private static func add(_ name: String, age: Int, _ client: TestClient) async throws -> Bool {
        let opened = try await client.call("open", #"{"route":"people/add"}"#)
        guard let scene = opened.firstMatch(of: /"scene":(\d+)/)?.1 else { return false }
        for (field, text) in [("name", name), ("age", "\(age)")] {
            _ = try await client.call(
                "event", #"{"scene":\#(scene),"event":{"fill":"\#(field)","text":"\#(text)"}}"#)
        }
        let answer = try await client.call("event", #"{"scene":\#(scene),"event":{"press":"add"}}"#)
        if answer.contains(#""closed":true"#) { return true }
        try expect(answer.contains(#""alert""#) || answer.contains(#""error""#), "\(name): \(answer)")
        _ = try await client.call("close", #"{"scene":\#(scene)}"#)
        return false
    }

    /// Opens a list in one host, adds a person in another one, and waits until the list shows it.
    private static func observe(
        _ nodes: [Node], _ server: PostgreSQLServer, _ database: String, _ book: Book, until stop: Stop
    ) async throws {
        var number = 0
        while !stop.isCalled {
            number += 1
            let (first, second) = (nodes[number % 3], nodes[(number + 1) % 3])
            let (kills, name) = ((first.kills, second.kills), "m\(number)")
            // A list shows twenty people. The first host that uses the database creates the table.
            let isThere = try await server.sql("SELECT to_regclass('viper_record')", in: database) != "\n"
            let marked = "value @> '{\"age\": \(markedAge)}'"
            if isThere { try await server.sql("DELETE FROM viper_record WHERE \(marked)", in: database) }
            do {
                let reader = try first.client()
                _ = try await reader.call("subscribe", #"{"to":["screens"]}"#)
                let list = #"{"route":"people","parameters":{"olderThan":\#(markedAge - 1)}}"#
                guard try await reader.call("open", list).contains(#""result""#) else { continue }
                guard try await add(name, age: markedAge, second.client()) else { continue }
                let begin = ContinuousClock.now
                _ = try await reader.line(with: name)
                book.seen(after: ContinuousClock.now - begin)
            } catch {
                try expect(
                    (first.kills, second.kills) != kills || first.isDown || second.isDown,
                    "the list did not show what another host wrote: \(error)")
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func compare(
        _ book: Book, with server: PostgreSQLServer, _ database: String
    ) async throws -> String {
        let lines = try await server.sql(
            """
            SELECT value ->> 'name', count(*) FROM viper_record
            WHERE (value ->> 'age')::int < \(markedAge) GROUP BY 1
            """, in: database)
        var stored: [String: Int] = [:]
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: "|")
            stored[String(parts[0])] = Int(parts[1])
        }
        let (begun, acknowledged, refused, times) = book.content
        let missing = acknowledged.filter { stored[$0] != 1 }
        try expect(missing.isEmpty, "\(missing.count) acknowledged records are not there once: \(missing.prefix(5))")
        let repeated = stored.filter { $0.value > 1 || !begun.contains($0.key) }
        try expect(repeated.isEmpty, "records are there more than once: \(repeated.prefix(5))")
        let ended = begun.subtracting(acknowledged).subtracting(refused)
        try expect(!times.isEmpty, "no list showed what another host wrote")
        return
            "\(acknowledged.count) acknowledged records are there once; \(refused.count) calls failed with an error, "
            + "\(ended.count) with the end of their host (\(ended.count { stored[$0] != nil }) of these are there); "
            + "an open list showed \(times.count) records of another host, "
            + "median \(times.medianMilliseconds.shown(1)) ms, longest \(((times.max() ?? .zero) / .milliseconds(1)).shown(0)) ms"
    }
}

/// A host that uses the database, and can be killed and started.
private final class Node: Sendable {
    private let root: ScratchRoot
    private let database: String
    private let state = Mutex<(host: ServingHost?, kills: Int)>((nil, 0))

    init(_ database: String) throws {
        (self.database, root) = (database, try ScratchRoot())
        for module in ["people", "postgresql"] { try root.copyManifest(module) }
    }

    var kills: Int { state.withLock { $0.kills } }
    var isDown: Bool { state.withLock { $0.host == nil } }

    func start() async throws {
        let host = try await ServingHost(
            root, "--state", root.folder.path + "/state", "--use", "data-provider=postgresql", "--set",
            "postgresql.connection=\(database)")
        state.withLock { $0.host = host }
    }

    func kill() async throws {
        let host = state.withLock { state in
            state.kills += 1
            defer { state.host = nil }
            return state.host
        }
        host?.send(SIGKILL)
        _ = try await host?.end()
    }

    /// Connects to the host.
    ///
    /// - Throws: ``ChildFailure`` if it does not run.
    func client() throws -> TestClient { try TestClient(connectingTo: root.folder.path + "/socket") }
}

/// What the clients have called, and what became of it.
private final class Book: Sendable {
    typealias Content = (begun: Set<String>, acknowledged: Set<String>, refused: Set<String>, times: [Duration])
    private let state = Mutex<Content>(([], [], [], []))

    var content: Content { state.withLock { $0 } }
    func begin(_ name: String) { state.withLock { _ = $0.begun.insert(name) } }
    func acknowledge(_ name: String) { state.withLock { _ = $0.acknowledged.insert(name) } }
    func refuse(_ name: String) { state.withLock { _ = $0.refused.insert(name) } }
    func seen(after time: Duration) { state.withLock { $0.times.append(time) } }
}
