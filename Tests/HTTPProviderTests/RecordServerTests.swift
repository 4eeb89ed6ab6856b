import Foundation
import HostDriver
import HostSystem
import ModuleRuntime
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import HTTPProvider
@testable import CurlClient

/// The provider with the bundled client, against a server that shares no code with it.
@Suite(.fewAtOnce, .hangLimit)
struct RecordServerTests {
    private struct Note: Record, Equatable {
        var id: String
        var text = ""
    }

    private let server: TestServer
    private let client: CurlClient

    init() async throws { (server, client) = (try await TestServer("records"), try CurlClient()) }

    /// Returns a provider for one store of the server. A suffix after a colon selects a failure mode.
    private func provider(_ store: String, timeLimit: Duration = Patience.limit) throws -> HTTPDataProvider {
        HTTPDataProvider(
            server: try RecordServer(baseURL: "\(server.url)/\(store)"), client: client, json: FoundationJSONCoder(),
            timeLimit: timeLimit)
    }

    /// Returns the error of each kind of call.
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

    @Test("The provider fulfils the contract of data providers")
    func promises() async throws {
        await checkDataProvider { store in try provider(store) }
    }

    @Test("A server error is reported with the server's text in every call")
    func full() async throws {
        let errors = await failures(try provider("x:full"))
        #expect(errors.map(\.code) == Array(repeating: .storeFailed, count: 6))
        for error in errors {
            #expect(error.cause == "the server responded with status 500")
            #expect(error.notes == [.init("response", "the disk is full")])
            #expect(error.subject.hasPrefix("\(server.url)/x:full"))
        }
    }

    @Test(
        "A response in an unexpected format is a store error",
        arguments: ["garbage", "empty", "object", "other", "accepted", "cut"])
    func unexpectedResponse(trouble: String) async throws {
        let provider = try provider("x:\(trouble)")
        for (name, call) in [
            ("all", { _ = try await provider.all(Note.self, in: "notes") }),
            ("find", { _ = try await provider.find(Note.self, id: "1", in: "notes") }),
        ] as [(String, () async throws -> Void)] {
            let error = await #expect(throws: ViperError.self, "\(name)") { try await call() }
            #expect(error?.code == .storeFailed, "\(name)")
        }
    }

    @Test("A server that exceeds the time limit is a store error")
    func slow() async throws {
        let errors = await failures(try provider("x:slow", timeLimit: .milliseconds(100)))
        #expect(errors.map(\.code) == Array(repeating: .storeFailed, count: 6))
        for error in errors { #expect(error.cause == "it took longer than 0.1 seconds") }
    }

    @Test("A stopped server is a store error in every call")
    func stoppedServer() async throws {
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

    @Test("If the response to a change is lost, the call fails, the change is made, and no request is repeated")
    func lostResponse() async throws {
        let (lost, whole) = (try provider("x:lost"), try provider("x"))
        // Opens a connection first: libcurl may repeat a request on a reused connection.
        #expect(try await whole.all(Note.self, in: "notes") == [])
        let error = await #expect(throws: ViperError.self) { try await lost.insert(Note(id: "1"), into: "notes") }
        #expect(error?.code == .storeFailed)
        #expect(error?.cause == "the response is incomplete")
        #expect(server.requests.count { $0.hasPrefix("POST ") } == 1, "\(server.requests)")
        #expect(try await whole.all(Note.self, in: "notes") == [Note(id: "1")])
        let other = await #expect(throws: ViperError.self) { try await lost.delete(id: "1", from: "notes") }
        #expect(other?.code == .storeFailed)
        #expect(server.requests.count { $0.hasPrefix("DELETE ") } == 1, "\(server.requests)")
        #expect(try await whole.all(Note.self, in: "notes") == [])
    }

    @Test("A change that the server refuses is an invalid record, and its whole batch is discarded")
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
            #expect(error?.cause == "the server rejected it")
        }
        #expect(try await provider.all(Note.self, in: "notes") == [])
    }

    @Test("An address without a record server is an error, but a single record there is missing")
    func noRecordServer() async throws {
        let provider = try provider("x:nowhere")
        let read = await #expect(throws: ViperError.self) { _ = try await provider.all(Note.self, in: "notes") }
        #expect(
            read?.summary
                == "cannot read records at \"\(server.url)/x:nowhere/notes\": the server responded with status 404")
        let change = await #expect(throws: ViperError.self) { try await provider.insert(Note(id: "1"), into: "notes") }
        #expect(change?.code == .storeFailed)
        #expect(try await provider.find(Note.self, id: "1", in: "notes") == nil)
    }

    @Test("A cancelled task fails with a store error")
    func cancelled() async throws {
        let provider = try provider("x:slow")
        let task = Task { try await provider.all(Note.self, in: "notes") }
        try #require(await eventually { !server.requests.isEmpty })
        task.cancel()
        let error = await #expect(throws: ViperError.self) { _ = try await task.value }
        #expect(error?.code == .storeFailed)
        #expect(error?.cause == "it was cancelled")
    }

    @Test("The module resolves with its manifest")
    @MainActor
    func module() throws {
        let host = try TestHost(HTTPProviderModule.self, manifest: "http.json") { services in
            services.provide(.json, FoundationJSONCoder())
            services.provide(.httpClient, client)
            services.provide(.configuration, Configuration())
        }
        #expect(host.state == .resolved)
    }
}
