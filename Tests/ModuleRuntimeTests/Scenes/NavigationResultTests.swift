import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

/// The result that a closing scene passes to the scene below, by its JSON form and not by its type.
@MainActor
@Suite(.hangLimit)
struct NavigationResultTests {
    private struct Sent: Codable, Sendable {
        var name: String
        var age: Int
    }

    /// The receiver's own type, which can be decoded from the same JSON.
    private struct Received: Decodable, Equatable {
        var name: String
        var age: Double
    }

    @Test("The scene below receives the result once and decodes it into its own type")
    func result() async throws {
        let journey = try await Journey()
        try await journey.push("b", "c")
        try await journey.views[2].navigator.close(returning: Sent(name: "Ada", age: 36))
        #expect(journey.views.map(\.returned.count) == [0, 1])
        let heard = try #require(journey.views[1].returned.first)
        #expect(heard.route == "c")
        #expect(try heard.result.decode(Received.self) == Received(name: "Ada", age: 36))
    }

    @Test("The error for a result of another form names the position")
    func otherShape() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        try await journey.views[1].navigator.close(returning: ["name": "Ada"])
        let heard = try #require(journey.views[0].returned.first)
        let error = try #require(throws: ViperError.self) { try heard.result.decode(Received.self) }
        #expect(error.code == .jsonInvalid)
        #expect(error.summary == "cannot read \"result:1:1\": \"age\" is missing")
    }

    @Test("Closing without a result sends no event")
    func noResult() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        await journey.views[1].navigator.close()
        #expect(journey.views[0].returned.isEmpty)
    }

    @Test("The result of a scene in the middle goes to the scene below it")
    func middle() async throws {
        let journey = try await Journey()
        try await journey.push("b", "c")
        try await journey.views[1].navigator.close(returning: 7)
        #expect(journey.routes == ["a"])
        let heard = try #require(journey.views[0].returned.first)
        #expect(heard.route == "b")
        #expect(try heard.result.decode(Int.self) == 7)
    }

    @Test("The lowest scene can close with a result")
    func lowest() async throws {
        let journey = try await Journey()
        try await journey.views[0].navigator.close(returning: 7)
        #expect(journey.window.top == nil)
    }

    @Test("A result that JSON cannot represent throws, and the scene stays open")
    func unwritable() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        let error = try await #require(throws: ViperError.self) {
            try await journey.views[1].navigator.close(returning: Double.infinity)
        }
        #expect(error.code == .jsonInvalid)
        #expect(journey.routes == ["a", "b"])
    }
}
