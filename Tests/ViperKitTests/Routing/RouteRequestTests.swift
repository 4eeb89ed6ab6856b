import Testing
import ViperKit

@MainActor
struct RouteRequestTests {
    private final class Nowhere: Navigator {
        func open(
            _ route: String, parameters: [String: ParameterValue], as transition: Transition
        ) async throws(ViperError) {}
        func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {}
    }

    private let request = RouteRequest(
        route: "people",
        parameters: ["name": .string("Ada"), "age": .integer(36), "share": .number(0.5), "all": .boolean(true)],
        navigator: Nowhere())

    @Test("A parameter is read as its declared type")
    func values() throws {
        #expect(try request.parameter("name", as: String.self) == "Ada")
        #expect(try request.parameter("age", as: Int.self) == 36)
        #expect(try request.parameter("share", as: Double.self) == 0.5)
        #expect(try request.parameter("all", as: Bool.self))
        #expect(try request.parameter("age", as: Int?.self) == 36)
    }

    @Test("A missing parameter throws, or is nil as an optional")
    func missing() throws {
        let expected = ViperError(
            .parameterMissing, operation: "cannot read parameter", subject: "size",
            cause: "the route was opened without it",
            fix: "declare it in the manifest's route, with a default or as required")
        #expect(throws: expected) { try request.parameter("size", as: Int.self) }
        #expect(try request.parameter("size", as: Int?.self) == nil)
    }

    @Test("A parameter of another type throws, also as an optional")
    func otherType() throws {
        for read in [
            { try request.parameter("age", as: String.self) },
            { try request.parameter("age", as: String?.self) },
        ] as [() throws -> String?] {
            let error = try #require(throws: ViperError.self) { try read() }
            #expect(error.code == .parameterInvalid)
            #expect(error.subject == "age")
            #expect(error.cause == "is 36, expected a string")
        }
        #expect(throws: ViperError.self) { try request.parameter("age", as: Double.self) }
        #expect(throws: ViperError.self) { try request.parameter("name", as: Bool.self) }
        #expect(throws: ViperError.self) { try request.parameter("share", as: Int.self) }
    }

    private enum Order: String, Decodable {
        case up, down
    }
    private enum Size: Int, Decodable {
        case small = 1
    }
    private struct Pair: Decodable, Equatable {
        var first: String
        init(from decoder: any Decoder) throws {
            first = String(try decoder.singleValueContainer().decode(String.self).prefix(1))
        }
    }

    @Test("A module's own type is read from a parameter, an enumeration by its raw value, or throws")
    func ownType() throws {
        let request = RouteRequest(
            route: "r", parameters: ["a": .string("up"), "b": .string("left"), "c": .integer(1)], navigator: Nowhere())
        #expect(try request.parameter("a", as: Order.self) == .up)
        #expect(throws: ViperError.self) { try request.parameter("b", as: Order.self) }
        #expect(throws: ViperError.self) { try request.parameter("c", as: Order.self) }
        #expect(try request.parameter("c", as: Size.self) == .small)
        #expect(throws: ViperError.self) { try request.parameter("a", as: Size.self) }
        #expect(try request.parameter("b", as: Pair.self).first == "l")
    }
}
