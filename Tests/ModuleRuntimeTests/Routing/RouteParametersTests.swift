import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

struct RouteParametersTests {
    private let route = Manifest.Route(
        name: "people", summary: "Lists",
        parameters: [
            .init(name: "name", type: .string, presence: .required, summary: "s"),
            .init(name: "olderThan", type: .integer, presence: .defaulted(.integer(18)), summary: "s"),
            .init(name: "share", type: .number, presence: .optional, summary: "s"),
            .init(name: "all", type: .boolean, presence: .defaulted(.boolean(false)), summary: "s"),
        ])
    private let usage = "name=STRING [olderThan=INTEGER] [share=NUMBER] [all=BOOLEAN]"

    private func failure(_ given: [String: ParameterValue]) throws -> ViperError {
        try #require(throws: ViperError.self) { try route.complete(given) }
    }

    @Test("Defaults are filled in, and a missing optional parameter stays missing")
    func defaults() throws {
        #expect(
            try route.complete(["name": .string("Ada")])
                == ["name": .string("Ada"), "olderThan": .integer(18), "all": .boolean(false)])
    }

    @Test("A given value replaces the default")
    func given() throws {
        let given: [String: ParameterValue] = [
            "name": .string(""), "olderThan": .integer(-1), "share": .number(0.5), "all": .boolean(true),
        ]
        #expect(try route.complete(given) == given)
    }

    @Test("A number parameter accepts an integer")
    func wholeNumber() throws {
        #expect(try route.complete(["name": .string("a"), "share": .integer(2)])["share"] == .number(2))
    }

    @Test("The error for a missing parameter names it and shows how to give it")
    func missing() throws {
        let expected = ViperError(
            .parameterMissing, operation: "cannot open route", subject: "people", cause: "\"name\" is missing",
            notes: [.init("parameters", usage)], fix: "add name=STRING")
        #expect(try failure(["all": .boolean(true)]) == expected)
    }

    @Test("The error for an unknown parameter names it, all known parameters and the closest one")
    func unknown() throws {
        let expected = ViperError(
            .parameterUnknown, operation: "cannot open route", subject: "people",
            cause: "it has no parameter \"oldrThan\"",
            notes: [.init("parameters", usage), .init("did you mean", "olderThan")])
        #expect(try failure(["name": .string("a"), "oldrThan": .integer(1)]) == expected)
        let none = Manifest.Route(name: "r", summary: "s", parameters: [])
        let error = try #require(throws: ViperError.self) { try none.complete(["weather": .integer(1)]) }
        #expect(error.notes == [.init("parameters", "none")])
    }

    @Test(
        "The error for a value of another type names the expected type",
        arguments: [
            ("name", .integer(1), "parameter \"name\" is 1, expected a string"),
            ("olderThan", .number(1.5), "parameter \"olderThan\" is 1.5, expected an integer"),
            ("share", .string("x"), "parameter \"share\" is \"x\", expected a number"),
            ("share", .number(.infinity), "parameter \"share\" is inf, expected a number"),
            ("share", .number(.nan), "parameter \"share\" is nan, expected a number"),
            ("all", .string("true"), "parameter \"all\" is \"true\", expected true or false"),
        ] as [(String, ParameterValue, String)])
    func mismatch(name: String, value: ParameterValue, cause: String) throws {
        let error = try failure([name: value])
        #expect(error.code == .parameterInvalid)
        #expect(error.cause == cause)
        #expect(error.notes == [.init("parameters", usage)])
    }

    @Test(
        "Text is parsed as the declared type, or rejected",
        arguments: [
            (.string, "", .string("")), (.string, "1", .string("1")), (.integer, "-12", .integer(-12)),
            (.integer, "1.0", nil), (.integer, "", nil), (.integer, " 1", nil), (.integer, "9223372036854775808", nil),
            (.number, "1", .number(1)), (.number, "-1.5e3", .number(-1500)), (.number, "inf", nil),
            (.number, "nan", nil),
            (.number, "1e999", nil), (.number, "1,5", nil), (.boolean, "true", .boolean(true)),
            (.boolean, "false", .boolean(false)), (.boolean, "yes", nil), (.boolean, "True", nil), (.boolean, "1", nil),
        ] as [(ParameterType, String, ParameterValue?)])
    func texts(type: ParameterType, text: String, value: ParameterValue?) {
        #expect((try? type.value(from: [text])) == value)
    }

    private static let range: ParameterType = {
        var type = ParameterType.integer
        (type.minimum, type.maximum) = (.integer(0), .integer(10))
        return type
    }()
    private static let order: ParameterType = {
        var type = ParameterType.string
        type.allowed = [.string("up"), .string("down")]
        return type
    }()
    private static let least: ParameterType = {
        var type = ParameterType.number
        type.minimum = .number(0.5)
        return type
    }()

    @Test(
        "A value outside of the declared limits is refused with the allowed ones",
        arguments: [
            (range, .integer(11), "is 11, expected an integer from 0 to 10"),
            (range, .integer(-1), "is -1, expected an integer from 0 to 10"),
            (range, .string("1"), "is \"1\", expected an integer from 0 to 10"),
            (least, .number(0.4), "is 0.4, expected a number of at least 0.5"),
            (least, .integer(0), "is 0, expected a number of at least 0.5"),
            (order, .string("left"), "is \"left\", expected one of \"up\", \"down\""),
            (
                order.array, .array([.string("up"), .string("left")]),
                "contains \"left\", expected one of \"up\", \"down\""
            ),
            (range.array, .integer(1), "is 1, expected an array of integers"),
            (range, .array([.integer(1)]), "is [1], expected an integer from 0 to 10"),
        ] as [(ParameterType, ParameterValue, String)])
    func limits(type: ParameterType, value: ParameterValue, predicate: String) {
        #expect(throws: ParameterType.Mismatch(predicate: predicate)) { try type.value(from: value) }
    }

    @Test("Values at the limits, allowed values and arrays of them are accepted")
    func insideLimits() throws {
        for value in [.integer(0), .integer(10)] as [ParameterValue] {
            #expect(try Self.range.value(from: value) == value)
        }
        #expect(try Self.least.value(from: .integer(1)) == .number(1))
        #expect(try Self.order.value(from: ["down"]) == .string("down"))
        #expect(try Self.range.array.value(from: ["1", "10"]) == .array([.integer(1), .integer(10)]))
        #expect(try Self.range.array.value(from: []) == .array([]))
        #expect(try Self.least.array.value(from: .array([.integer(1)])) == .array([.number(1)]))
    }

    @Test("Only an array takes several texts")
    func severalTexts() {
        let mismatch = ParameterType.Mismatch(predicate: "is given 2 times, expected a string")
        #expect(throws: mismatch) { try ParameterType.string.value(from: ["a", "b"]) }
    }

    @Test("The usage shows arrays and the allowed values")
    func placeholders() {
        #expect(Self.range.placeholder == "INTEGER(0..10)" && Self.least.placeholder == "NUMBER(0.5..)")
        #expect(Self.order.placeholder == "up|down" && Self.order.array.placeholder == "up|down…")
        #expect(ParameterType.boolean.array.placeholder == "BOOLEAN…")
    }
}
