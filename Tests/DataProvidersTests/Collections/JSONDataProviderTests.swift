import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import DataProviders

/// The built-in provider's file format, and files that were written by hand.
@Suite(.hangLimit)
struct JSONDataProviderTests {
    struct Person: Record, Equatable {
        var id: String
        var name: String
        var age: Int?
    }

    private let scratch: ScratchFolder
    private var folder: String { "\(scratch.path)/state/data" }
    private var provider: JSONDataProvider { JSONDataProvider(patientWith: folder) }

    init() throws { scratch = try ScratchFolder() }

    private func failure(_ body: () async throws -> Void) async throws -> ViperError {
        do {
            try await body()
        } catch let error as ViperError {
            return error
        }
        throw Unexpected.success
    }

    private enum Unexpected: Error {
        case success
    }

    private func file(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("The provider fulfils the contract of data providers")
    func promises() async throws {
        await checkDataProvider { store in JSONDataProvider(patientWith: "\(scratch.path)/\(store)") }
    }

    @Test("A collection is a file with one record on each line, which only its owner can access")
    func format() async throws {
        try await provider.apply([
            .insert(Person(id: "2", name: "Ada \"/\" é", age: 36), into: "people"),
            .insert(Person(id: "1", name: "Eva"), into: "people"),
        ])
        #expect(
            try file("people.json") == """
                [
                {"age":36,"id":"2","name":"Ada \\"/\\" é"},
                {"id":"1","name":"Eva"}
                ]

                """)
        #expect(try mode(folder) == 0o700 && mode("\(scratch.path)/state") == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == [".lock", "people.json"])
        for name in names { #expect(try mode("\(folder)/\(name)") == 0o600) }
    }

    @Test("Reading creates neither folder nor file")
    func readingOnly() async throws {
        #expect(try await provider.all(Person.self, in: "people") == [])
        #expect(try await provider.find(Person.self, id: "1", in: "people") == nil)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/state"))
    }

    @Test("A file written by hand is read, and its records keep their text when others change")
    func byHand() async throws {
        let strange = #"{ "name" : "A,]}\"",  "id":"\u0061", "age": 1e1, "more": [ {"x": [1.10, null]}, "]" ] }"#
        try scratch.write(" [\r\n\t\(strange) ,{\"id\":\"b\",\"name\":\"B\"}] ", to: "state/data/people.json")
        #expect(
            try await provider.all(Person.self, in: "people")
                == [Person(id: "a", name: "A,]}\"", age: 10), Person(id: "b", name: "B")])
        #expect(try await provider.find(Person.self, id: "a", in: "people")?.name == "A,]}\"")
        try await provider.delete(id: "b", from: "people")
        try await provider.insert(Person(id: "c", name: "C"), into: "people")
        #expect(try file("people.json") == "[\n\(strange),\n{\"id\":\"c\",\"name\":\"C\"}\n]\n")
        try await provider.delete(id: "a", from: "people")
        try await provider.delete(id: "c", from: "people")
        #expect(try file("people.json") == "[\n]\n")
    }

    @Test(
        "A damaged file is reported with its position and stays unchanged",
        arguments: [
            ("", "1:1", "expected a value, found the end of the text"),
            ("[\n{\"id\":\"1\",\"name\":\"A", "2:20", "the text ends inside a string"),
            ("[\n{\"id\":\"1\",\"name\":\"A\"},\n", "3:1", "expected a value, found the end of the text"),
            ("{\"id\": \"1\"}", "1:1", "expected an array, found an object"),
            ("[\n  {\"id\": \"1\"},\n  7]", "3:3", "expected an object, found a number"),
            ("[{\"name\": \"A\"}]", "1:2", "\"id\" is missing"),
            ("[{\"id\": 1}]", "1:9", "expected a string, found a number"),
            ("[{\"id\": \"1\"},\n {\"id\": \"1\"}]", "2:2", "an earlier record has the same id, \"1\""),
            ("[{\"id\": \"1\", \"id\": \"2\"}]", "1:14", "duplicate key \"id\""),
        ])
    func damaged(text: String, place: String, cause: String) async throws {
        try scratch.write(text, to: "state/data/people.json")
        let person = Person(id: "9", name: "Una")
        let failures = [
            try await failure { try await provider.insert(person, into: "people") },
            try await failure { try await provider.replace(person, in: "people") },
            try await failure { try await provider.delete(id: "1", from: "people") },
            try await failure { _ = try await provider.find(Person.self, id: "1", in: "people") },
            try await failure { _ = try await provider.all(Person.self, in: "people") },
        ]
        for error in failures {
            #expect(error.code == .storeFailed)
            #expect(error.operation == "cannot read records")
            #expect(error.subject == "\(folder)/people.json:\(place)")
            #expect(error.cause == cause)
        }
        #expect(try file("people.json") == text)
        try await provider.insert(person, into: "dogs")
    }

    @Test("A record of another type is reported with its position, even if it is read alone")
    func wrongType() async throws {
        try scratch.write(
            "[\n{\"id\":\"1\",\"name\":\"A\"},\n{\"id\":\"2\",\"name\":7}\n]", to: "state/data/people.json")
        for error in [
            try await failure { _ = try await provider.all(Person.self, in: "people") },
            try await failure { _ = try await provider.find(Person.self, id: "2", in: "people") },
        ] {
            #expect(
                error
                    == ViperError(
                        .recordInvalid, operation: "cannot read records", subject: "\(folder)/people.json:3:18",
                        cause: "expected a string, found a number", notes: [.init("at", "$[1].name")],
                        fix: "write a string"))
        }
        #expect(try await provider.find(Person.self, id: "1", in: "people")?.name == "A")
        try await provider.delete(id: "2", from: "people")
        #expect(try await provider.all(Person.self, in: "people").count == 1)
    }

    @Test("A file that is too large, a folder and a named pipe are errors, and none of them blocks")
    func unreadable() async throws {
        let big = try scratch.write("[]", to: "state/data/big.json")
        try #require(truncate(big, 2 << 30) == 0)
        try scratch.write("", to: "state/data/folder.json/x")
        try #require(mkfifo("\(folder)/pipe.json", 0o600) == 0)
        for (name, cause) in [
            ("big", "it has 2147483648 bytes, more than the limit of 1073741824"),
            ("folder", "it is not a regular file"), ("pipe", "it is not a regular file"),
        ] {
            let expected = ViperError(
                .storeFailed, operation: "cannot read file", subject: "\(folder)/\(name).json", cause: cause)
            #expect(try await failure { _ = try await provider.all(Person.self, in: name) } == expected)
            #expect(
                try await failure { try await provider.insert(Person(id: "1", name: "A"), into: name) } == expected)
        }
    }

    @Test("A folder that cannot be made or used is an error")
    func noFolder() async throws {
        let file = try scratch.write("", to: "file")
        let person = Person(id: "1", name: "A")
        let beside = JSONDataProvider(patientWith: file)
        #expect(
            try await failure { try await beside.insert(person, into: "people") }
                == ViperError(.storeFailed, operation: "cannot create folder", subject: file, cause: "Not a directory"))
        let below = JSONDataProvider(patientWith: "\(file)/data")
        #expect(
            try await failure { try await below.insert(person, into: "people") }
                == ViperError(
                    .storeFailed, operation: "cannot create folder", subject: "\(file)/data", cause: "Not a directory"))
        #expect(try await failure { _ = try await below.all(Person.self, in: "people") }.code == .storeFailed)
        let nowhere = JSONDataProvider(patientWith: "/proc/nowhere/data")
        #expect(
            try await failure { try await nowhere.insert(person, into: "people") }
                == ViperError(
                    .storeFailed, operation: "cannot create folder", subject: "/proc/nowhere",
                    cause: "No such file or directory"))
    }

    @Test("A task on the main actor continues while a change waits for another process")
    @MainActor
    func mainActor() async throws {
        try await provider.insert(Person(id: "1", name: "A"), into: "people")
        // To the provider, the lock of this open file is one of another process.
        let lock = open("\(folder)/.lock", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        let provider = provider
        async let change: Void = provider.insert(Person(id: "2", name: "B"), into: "people")
        for _ in 0..<3 { await Task.yield() }
        #expect(try file("people.json").contains("\"2\"") == false)
        try #require(flock(lock, LOCK_UN) == 0)
        try await change
        #expect(try file("people.json").contains("\"2\""))
    }

    @Test("A thousand tasks that wait for another process do not use a thread each, and other tasks run")
    func waiters() async throws {
        try await provider.insert(Person(id: "1", name: "A"), into: "people")
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let lock = open("\(folder)/.lock", O_RDWR | O_CLOEXEC)
            try #require(flock(lock, LOCK_EX) == 0)
            let reads = Task {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<10 {
                        let provider = JSONDataProvider(patientWith: folder)
                        for _ in 0..<100 {
                            group.addTask { try await provider.all(Person.self, in: "people").count }
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
            for _ in 0..<1000 { await Task.detached {}.value }
            #expect(try threadCount() < manyThreads)
            try #require(flock(lock, LOCK_UN) == 0)
            #expect(try await reads.value == 1000)
        }
    }
}
