import Foundation
import TestSupport
import Testing
import ViperKit
import ViperRuntime
import ViperTesting

@testable import HTTPProvider
@testable import CurlClient

/// The provider with the bundled client, against a real server that others have written.
@Suite(.fewAtOnce, .hangLimit)
struct RecordServerTests {
    private struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    private let server: TestServer
    private let client: CurlClient

    init() async throws { (server, client) = (try await TestServer("records"), try CurlClient()) }

    /// A provider on one store of the server. What is behind a colon is the trouble that the server makes.
    private func provider(_ store: String, timeLimit: Double = Patience.limit / .seconds(1)) throws -> HTTPDataProvider
    {
        HTTPDataProvider(
            server: try RecordServer(baseURL: "\(server.url)/\(store)"), client: client, json: FoundationJSONCoder(),
            timeLimit: timeLimit)
    }

    /// What every call fails with.
    private func failures(_ provider: HTTPDataProvider) async -> [ViperError] {
        let note = Note(id: "1")
        var errors: [ViperError] = []
        for call in [
            { _ = try await provider.all(Note.self, in: "notes") },
            { _ = try await provider.find(Note.self, id: "1", in: "notes") },
            { try await provider.insert(note, into: "notes") },
            { try await provider.replace(note, in: "notes") },
            { try await provider.delete(id: "1", from: "notes") },
            { try await provider.apply([.insert(note, into: "notes"), .delete(id: "1", from: "notes")]) },
        ] as [() async throws -> Void] {
            if let error = await #expect(throws: ViperError.self, performing: { try await call() }) {
                errors.append(error)
            }
        }
        return errors
    }

    @Test("the provider keeps what every provider promises")
    func promises() async throws {
        await checkDataProvider { store in try provider(store) }
    }

    @Test("a server that has failed is told with its own words, in every call")
    func full() async throws {
        let errors = await failures(try provider("x:full"))
        #expect(errors.map(\.code) == Array(repeating: .storeFailed, count: 6))
        for error in errors {
            #expect(error.cause == "the server answered 500")
            #expect(error.notes == [.init("it said", "the disk is full")])
            #expect(error.subject.hasPrefix("\(server.url)/x:full"))
        }
    }

    @Test(
        "a server that answers something else than was asked for has failed",
        arguments: ["garbage", "empty", "object", "other", "accepted", "cut"])
    func nonsense(trouble: String) async throws {
        let provider = try provider("x:\(trouble)")
        for (name, call) in [
            ("all", { _ = try await provider.all(Note.self, in: "notes") }),
            ("find", { _ = try await provider.find(Note.self, id: "1", in: "notes") }),
        ] as [(String, () async throws -> Void)] {
            let error = await #expect(throws: ViperError.self, "\(name)") { try await call() }
            #expect(error?.code == .storeFailed, "\(name)")
        }
    }

    @Test("a server that takes too long has failed")
    func slow() async throws {
        let errors = await failures(try provider("x:slow", timeLimit: 0.1))
        #expect(errors.map(\.code) == Array(repeating: .storeFailed, count: 6))
        for error in errors { #expect(error.cause == "it took longer than 0.1 s") }
    }

    @Test("a server that is gone has failed, and the same provider works with another one at its place")
    func gone() async throws {
        let address: String
        do {
            let other = try await TestServer("records")
            address = other.url
        }
        let gone = HTTPDataProvider(
            server: try RecordServer(baseURL: address), client: client, json: FoundationJSONCoder())
        let errors = await failures(gone)
        #expect(errors.map(\.code) == Array(repeating: .storeFailed, count: 6))
        for error in errors { #expect(error.cause == "no connection") }
    }

    @Test("when the answer to a change is lost the call fails, though the change was made, and nothing is sent twice")
    func lost() async throws {
        let (lost, whole) = (try provider("x:lost"), try provider("x"))
        // What is sent on a line that was used before could be sent once more on another.
        #expect(try await whole.all(Note.self, in: "notes") == [])
        let error = await #expect(throws: ViperError.self) { try await lost.insert(Note(id: "1"), into: "notes") }
        #expect(error?.code == .storeFailed)
        #expect(error?.cause == "it was cut off")
        #expect(server.requests.count { $0.hasPrefix("POST ") } == 1, "\(server.requests)")
        #expect(try await whole.all(Note.self, in: "notes") == [Note(id: "1")])
        let other = await #expect(throws: ViperError.self) { try await lost.delete(id: "1", from: "notes") }
        #expect(other?.code == .storeFailed)
        #expect(server.requests.count { $0.hasPrefix("DELETE ") } == 1, "\(server.requests)")
        #expect(try await whole.all(Note.self, in: "notes") == [])
    }

    @Test("what the server does not take is an invalid record, and the others with it are not made")
    func refused() async throws {
        let provider = try provider("x")
        let refused = Note(id: "2", text: "not for this server")
        for changes in [
            [.insert(refused, into: "notes")],
            [.insert(Note(id: "1"), into: "notes"), .insert(refused, into: "notes")],
        ]
            as [[DataChange]]
        {
            let error = await #expect(throws: ViperError.self) { try await provider.apply(changes) }
            #expect(error?.code == .recordInvalid)
            #expect(error?.subject == "2")
            #expect(error?.cause == "the server does not take it")
        }
        #expect(try await provider.all(Note.self, in: "notes") == [])
    }

    @Test("an address without such a server is told, but for a record that may be missing")
    func nowhere() async throws {
        let provider = try provider("x:nowhere")
        let read = await #expect(throws: ViperError.self) { _ = try await provider.all(Note.self, in: "notes") }
        #expect(read?.summary == "cannot read \"\(server.url)/x:nowhere/notes\": the server answered 404")
        let change = await #expect(throws: ViperError.self) { try await provider.insert(Note(id: "1"), into: "notes") }
        #expect(change?.code == .storeFailed)
        #expect(try await provider.find(Note.self, id: "1", in: "notes") == nil)
    }

    @Test("a task that is cancelled ends its request")
    func cancelled() async throws {
        let provider = try provider("x:slow")
        let task = Task { try await provider.all(Note.self, in: "notes") }
        try #require(await eventually { !server.requests.isEmpty })
        task.cancel()
        let error = await #expect(throws: ViperError.self) { _ = try await task.value }
        #expect(error?.code == .storeFailed)
        #expect(error?.cause == "it was cancelled")
    }

    @Test("the module provides the data provider that its manifest promises")
    @MainActor
    func module() throws {
        let host = try TestHost(ModuleEntry(HTTPProviderModule.self), manifest: "http.json") { services in
            services.provide(.json, FoundationJSONCoder())
            services.provide(.httpClient, client)
            services.provide(.configuration, FakeConfiguration())
        }
        #expect(host.state == .resolved)
    }
}
