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
            .parameterMissing, "cannot open route", "people", cause: "\"name\" is missing",
            notes: [.init("parameters", usage)], recoverySuggestion: "add name=STRING")
        #expect(try failure(["all": .boolean(true)]) == expected)
    }

    @Test("The error for an unknown parameter names it, all known parameters and the closest one")
    func unknown() throws {
        let expected = ViperError(
            .parameterUnknown, "cannot open route", "people", cause: "it has no parameter \"oldrThan\"",
            notes: [.init("parameters", usage), .init("did you mean", "olderThan")])
        #expect(try failure(["name": .string("a"), "oldrThan": .integer(1)]) == expected)
        let none = Manifest.Route(name: "r", summary: "s", parameters: [])
        let error = try #require(throws: ViperError.self) { try none.complete(["weather": .integer(1)]) }
        #expect(error.notes == [.init("parameters", "none")])
    }

    @Test(
        "The error for a value of another type names the expected type",
        arguments: [
            ("name", .integer(1), "\"name\" is a text, not 1"),
            ("olderThan", .number(1.5), "\"olderThan\" is a whole number, not 1.5"),
            ("share", .string("x"), "\"share\" is a number, not \"x\""),
            ("share", .number(.infinity), "\"share\" is a number, not inf"),
            ("share", .number(.nan), "\"share\" is a number, not nan"),
            ("all", .string("true"), "\"all\" is true or false, not \"true\""),
        ] as [(String, ParameterValue, String)])
    func mismatch(name: String, value: ParameterValue, cause: String) throws {
        let error = try failure([name: value])
        #expect(error.code == .parameterType)
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
        #expect(type.value(from: text) == value)
    }
}
