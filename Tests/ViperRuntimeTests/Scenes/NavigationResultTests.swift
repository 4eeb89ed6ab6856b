import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

/// What a scene hands to the one below when it closes: a shape, not a type.
@MainActor
@Suite(.hangLimit)
struct NavigationResultTests {
    private struct Sent: Codable, Sendable {
        var name: String
        var age: Int
    }

    /// The receiver's own type, of the same shape as far as it looks.
    private struct Received: Decodable, Equatable {
        var name: String
        var age: Double
    }

    @Test("the scene below hears the result of the one that closes, once, and decodes it into a type of its own")
    func result() async throws {
        let journey = try await Journey()
        try await journey.push("b", "c")
        try await journey.views[2].navigator.close(returning: Sent(name: "Ada", age: 36))
        #expect(journey.views.map(\.returned.count) == [0, 1])
        let heard = try #require(journey.views[1].returned.first)
        #expect(heard.route == "c")
        #expect(try heard.result.decode(Received.self) == Received(name: "Ada", age: 36))
    }

    @Test("a result of another shape than the receiver expects is an error that says where")
    func otherShape() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        try await journey.views[1].navigator.close(returning: ["name": "Ada"])
        let heard = try #require(journey.views[0].returned.first)
        let error = try #require(throws: ViperError.self) { try heard.result.decode(Received.self) }
        #expect(error.code == .jsonInvalid)
        #expect(error.summary == "cannot read \"result:1:1\": \"age\" is missing")
    }

    @Test("without a result the scene below hears nothing")
    func none() async throws {
        let journey = try await Journey()
        try await journey.push("b")
        await journey.views[1].navigator.close()
        #expect(journey.views[0].returned.isEmpty)
    }

    @Test("the result of a scene in the middle goes to the one below it, whatever lay above")
    func middle() async throws {
        let journey = try await Journey()
        try await journey.push("b", "c")
        try await journey.views[1].navigator.close(returning: 7)
        #expect(journey.routes == ["a"])
        let heard = try #require(journey.views[0].returned.first)
        #expect(heard.route == "b")
        #expect(try heard.result.decode(Int.self) == 7)
    }

    @Test("the lowest scene closes with a result that nobody hears")
    func lowest() async throws {
        let journey = try await Journey()
        try await journey.views[0].navigator.close(returning: 7)
        #expect(journey.window.top == nil)
    }

    @Test("a result that JSON cannot write is an error, and the scene stays open")
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
