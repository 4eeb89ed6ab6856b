import Testing
import ViperKit

struct ConfigurationTests {
    private enum Mode: String, Decodable { case fast, safe }

    private struct Settings: Decodable, Equatable {
        var baseURL: String
        var mode: Mode
        var ports: [UInt16]
        var limit: Int?
    }

    private struct Limit: Decodable { var limit: Int? }

    private let values: [String: ParameterValue] = [
        "baseURL": .string("http://test"), "mode": .string("safe"), "ports": .array([.integer(80)]),
    ]

    @Test("A structure reads the keys with the names of its properties, and an unset key is nil")
    func structure() throws {
        let configuration = Configuration(values, unset: ["limit"])
        #expect(
            try configuration.decode(Settings.self)
                == Settings(baseURL: "http://test", mode: .safe, ports: [80], limit: nil))
        #expect(try Configuration(["limit": .integer(3)]).decode(Limit.self).limit == 3)
    }

    @Test(
        "A value of another type, a missing value and an undeclared key throw",
        arguments: [
            ("mode", .string("slow"), "is \"slow\", expected Mode", .parameterInvalid),
            ("baseURL", .integer(1), "is 1, expected a string", .parameterInvalid),
            ("ports", .array([.integer(70_000)]), "is 70000, expected 0 to 65535", .parameterInvalid),
            ("mode", nil, "it is unset", .parameterMissing),
        ] as [(String, ParameterValue?, String, ViperError.Code)])
    func invalid(key: String, value: ParameterValue?, cause: String, code: ViperError.Code) throws {
        var values = values
        values[key] = value
        let configuration = Configuration(values, unset: ["limit"], module: "todo")
        let error = try #require(throws: ViperError.self) { try configuration.decode(Settings.self) }
        #expect(error.code == code && error.summary == "cannot read configuration \"todo.\(key)\": \(cause)")
    }

    @Test("A property for a key that the manifest does not declare throws, although the property is optional")
    func undeclared() throws {
        let error = try #require(throws: ViperError.self) { try Configuration(values).decode(Settings.self) }
        #expect(error.code == .parameterMissing && error.subject == "module.limit")
    }
}
