import Testing
@_spi(Host) import ViperKit

private enum Color: String, Codable, CaseIterable { case red, green }
private enum Level: Int, Codable, CaseIterable { case low = 1, high = 5 }
private enum Shape: String, Codable { case round }

private struct FullRoute: RouteArguments, Equatable {
    static let route = "full"
    var text: String
    var whole: Int
    var small: Int8
    var large: UInt64
    var number: Double
    var float: Float
    var flag: Bool
    var texts: [String]
    var colors: [Color]
    var level: Level
    var maybe: Int?
    var maybeColor: Color?
    var maybeNumbers: [Double]?
}

private struct EmptyRoute: RouteArguments { static let route = "empty" }
private struct ShapeRoute: RouteArguments {
    static let route = "shape"
    var shape: Shape
}
private struct NestedRoute: RouteArguments {
    static let route = "nested"
    struct Inner: Codable { var value = 1 }
    var inner = Inner()
}
private struct MatrixRoute: RouteArguments {
    static let route = "matrix"
    var rows = [[1]]
}
private struct GapsRoute: RouteArguments {
    static let route = "gaps"
    var items: [Int?] = [1, nil]
}
private struct ListRoute: RouteArguments {
    static let route = "list"
    init() {}
    init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(1)
    }
}

@MainActor
struct RouteArgumentsTests {
    /// A module that keeps the arguments of its route.
    private final class Receiver: Module {
        init(services: any ServiceResolver) {}
        init() {}
        static func register(with registrar: Registrar<Receiver>) {}
        var arguments: (any RouteArguments)?

        /// Opens a route of a module, as a host does.
        static func arguments<Arguments: RouteArguments>(
            _ type: Arguments.Type, from parameters: [String: ParameterValue]
        ) throws(ViperError) -> Arguments {
            let (registrar, module) = (Registrar<Receiver>(), Receiver())
            registrar.route(type) { module, arguments, _ in
                module.arguments = arguments
                return Nothing()
            }
            let request = RouteRequest(route: Arguments.route, parameters: parameters, navigator: Steps())
            do { _ = try registrar.routes[0].view(of: module, for: request) } catch let error as ViperError {
                throw error
            } catch {
                Issue.record(error)
            }
            guard let arguments = module.arguments as? Arguments else { preconditionFailure("the view was not made") }
            return arguments
        }
    }

    private final class Nothing: View { let screen = Screen(title: "") }

    private final class Steps: Navigator {
        var steps: [String] = []
        func open(
            _ route: String, parameters: [String: ParameterValue], as transition: Transition
        ) async throws(ViperError) {
            steps.append("\(transition.rawValue) \(route) \(parameters)")
        }
        func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {}
    }

    private let full = FullRoute(
        text: "x", whole: -1, small: 3, large: 9, number: 0.5, float: 0.25, flag: true, texts: ["a", ""],
        colors: [.red, .green], level: .high, maybe: nil, maybeColor: .green, maybeNumbers: [])
    private let parameters: [String: ParameterValue] = [
        "text": .string("x"), "whole": .integer(-1), "small": .integer(3), "large": .integer(9), "number": .number(0.5),
        "float": .number(0.25), "flag": .boolean(true), "texts": .array([.string("a"), .string("")]),
        "colors": .array([.string("red"), .string("green")]), "level": .integer(5), "maybeColor": .string("green"),
        "maybeNumbers": .array([]),
    ]

    private func decode<Arguments: RouteArguments>(
        _ type: Arguments.Type, _ parameters: [String: ParameterValue]
    ) throws(ViperError) -> Arguments {
        try Receiver.arguments(type, from: parameters)
    }

    @Test("Properties become parameters of their types, and are read back; a property that is nil has none")
    func roundTrip() throws {
        #expect(try full.encodedParameters() == parameters)
        #expect(try decode(FullRoute.self, parameters) == full)
        #expect(try EmptyRoute().encodedParameters() == [:])
        #expect(throws: Never.self) { try decode(EmptyRoute.self, [:]) }
    }

    @Test(
        "A parameter that does not fit its property throws the found and the expected value",
        arguments: [
            ("text", nil, "the route was opened without it"), ("text", .integer(1), "is 1, expected a string"),
            ("whole", .string("x"), "is \"x\", expected an integer"),
            ("small", .integer(300), "is 300, expected -128 to 127"),
            ("number", .integer(1), "is 1, expected a number"),
            ("number", .number(.nan), "is nan, expected a finite number"),
            ("float", .number(1e300), "is 1e+300, expected -3.4028235e+38 to 3.4028235e+38"),
            ("float", .number(-.infinity), "is -inf, expected a finite number"),
            ("maybeNumbers", .array([.number(.infinity)]), "is inf, expected a finite number"),
            ("flag", .string("a"), "is \"a\", expected true or false"),
            ("texts", .string("a"), "is \"a\", expected an array"),
            ("texts", .array([.integer(3)]), "is 3, expected a string"),
            ("level", .integer(3), "is 3, expected Level"),
            ("maybeColor", .string("blue"), "is \"blue\", expected Color"),
            ("colors", .array([.string("blue")]), "is \"blue\", expected Color"),
        ] as [(String, ParameterValue?, String)])
    func mismatch(name: String, value: ParameterValue?, cause: String) throws {
        var parameters = parameters
        parameters[name] = value
        let error = try #require(throws: ViperError.self) { try decode(FullRoute.self, parameters) }
        #expect(error.code == (value == nil ? .parameterMissing : .parameterInvalid))
        #expect(error.summary == "cannot read parameter \"\(name)\": \(cause)")
    }

    @Test("A property that no parameter can carry throws")
    func unsupported() throws {
        let scalars = "a string, an integer, a number, true or false, or an array of these"
        var large = full
        large.large = .max
        var (double, float, list) = (full, full, full)
        (double.number, float.float, list.maybeNumbers) = (.nan, -.infinity, [.infinity])
        for (arguments, name, cause) in [
            (NestedRoute(), "inner", "is a structure, expected \(scalars)"),
            (MatrixRoute(), "rows", "contains an array, expected \(scalars)"),
            (GapsRoute(), "items", "contains a missing value, expected \(scalars)"),
            (ListRoute(), "ListRoute", "is a list, expected a structure with a property for each parameter"),
            (large, "large", "is 18446744073709551615, expected an integer of 64 bits"),
            (double, "number", "is nan, expected a finite number"),
            (float, "float", "is -inf, expected a finite number"),
            (list, "maybeNumbers", "is inf, expected a finite number"),
        ] as [(any RouteArguments, String, String)] {
            let error = try #require(throws: ViperError.self) { try arguments.encodedParameters() }
            #expect(error.code == .parameterInvalid && error.subject == name && error.cause == cause, "\(error)")
        }
        #expect(throws: ViperError.self) { try decode(NestedRoute.self, ["inner": .integer(1)]) }
        #expect(throws: ViperError.self) { try decode(ListRoute.self, [:]) }
    }

    @Test("A navigator opens the route of a type with its parameters")
    func navigation() async throws {
        struct PersonRoute: RouteArguments {
            static let route = "person"
            var id: String
        }
        let navigator = Steps()
        try await navigator.open(PersonRoute(id: "1"), as: .push)
        try await navigator.open(PersonRoute(id: "2"), as: .present)
        try await navigator.open(EmptyRoute(), as: .replaceRoot)
        #expect(
            navigator.steps == [
                "push person [\"id\": \"1\"]", "present person [\"id\": \"2\"]", "replace-root empty [:]",
            ])
    }

    @Test("A signature has the parameters that the type reads")
    func signature() {
        let signature = RouteSignature(of: FullRoute.self)
        #expect(signature.type == "FullRoute" && signature.route == "full" && signature.failure == nil)
        let parameters = signature.parameters.map { parameter in
            let type = parameter.isArray ? "[\(parameter.type)]" : parameter.type
            return "\(parameter.name) \(type)\(parameter.isOptional ? "?" : "") \(parameter.allowed)"
        }
        #expect(
            parameters == [
                "text string []", "whole integer []", "small integer []", "large integer []", "number number []",
                "float number []", "flag boolean []", "texts [string] []", "colors [string] [\"red\", \"green\"]",
                "level integer [\"1\", \"5\"]", "maybe integer? []", "maybeColor string? [\"red\", \"green\"]",
                "maybeNumbers [number]? []",
            ])
        #expect(RouteSignature(of: EmptyRoute.self).parameters == [])
    }

    @Test("A type that cannot be recorded has a signature with the reason")
    func unrecorded() throws {
        let shape = try #require(RouteSignature(of: ShapeRoute.self).failure)
        #expect(shape.summary == "cannot record parameter \"shape\": its type Shape refuses the trial value \"1\"")
        #expect(shape.fix?.hasPrefix("conform Shape to CaseIterable") == true)
        for type in [NestedRoute.self, MatrixRoute.self, ListRoute.self] as [any RouteArguments.Type] {
            #expect(RouteSignature(of: type).failure?.code == .parameterInvalid)
        }
    }

    @Test("An array is read from an array parameter, item by item")
    func arrayParameter() throws {
        let request = RouteRequest(
            route: "r", parameters: ["a": .array([.integer(1), .integer(2)]), "b": .integer(1)], navigator: Steps())
        #expect(try request.parameter("a", as: [Int].self) == [1, 2])
        #expect(throws: ViperError.self) { try request.parameter("a", as: [String].self) }
        #expect(throws: ViperError.self) { try request.parameter("b", as: [Int].self) }
    }
}
