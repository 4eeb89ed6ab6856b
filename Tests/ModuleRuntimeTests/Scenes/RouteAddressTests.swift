import Testing
import ViperKit

@testable import ModuleRuntime

/// Addresses: a route's name with parameters.
struct RouteAddressTests {
    @Test(
        "An address is parsed as in RFC 3986",
        arguments: [
            ("list", "list", [:]),
            ("list?", "list", [:]),
            ("person?id=58f9", "person", ["id": ["58f9"]]),
            ("people/add?name=Ada%20Lovelace&age=36", "people/add", ["name": ["Ada Lovelace"], "age": ["36"]]),
            ("p?tag=a&other=&tag=b", "p", ["tag": ["a", "b"], "other": [""]]),
            ("p?q=a=b?c/d", "p", ["q": ["a=b?c/d"]]),
            ("p?q=1+1", "p", ["q": ["1+1"]]),
            ("p?q=%e2%82%AC&%6eame=%26%3D%25%23", "p", ["q": ["€"], "name": ["&=%#"]]),
            ("p?q=%00", "p", ["q": ["\0"]]),
            ("?a=b", "", ["a": ["b"]]),
        ] as [(String, String, [String: [String]])])
    func valid(text: String, route: String, texts: [String: [String]]) throws {
        let address = try RouteAddress(text)
        #expect(address.route == route)
        #expect(address.texts == texts)
    }

    @Test(
        "An invalid address is refused with the part that is wrong",
        arguments: [
            ("p?id", #""id" is not NAME=VALUE"#), ("p?=x", #""=x" is not NAME=VALUE"#),
            ("p?&a=b", #""" is not NAME=VALUE"#), ("p?a=b&", #""" is not NAME=VALUE"#),
            ("p?a=%", #""a=%" is not percent-encoded UTF-8"#), ("p?a=%4", #""a=%4" is not percent-encoded UTF-8"#),
            ("p?a=%zz", #""a=%zz" is not percent-encoded UTF-8"#),
            ("p?a=%ff", #""a=%ff" is not percent-encoded UTF-8"#),
            ("p?%C0%80=b", #""%C0%80=b" is not percent-encoded UTF-8"#),
            ("p?a=b#c", #""a=b#c" is not percent-encoded UTF-8"#),
        ])
    func invalid(text: String, cause: String) throws {
        let error = try #require(throws: ViperError.self) { _ = try RouteAddress(text) }
        #expect(error.code == .parameterInvalid)
        #expect(error.subject == text)
        #expect(error.cause == cause)
    }

    @Test("The text of an address opens the same route with the same parameters")
    func text() throws {
        let parameters: [String: ParameterValue] = [
            "name": .string("Ada & Bob=?#%+é/\n"), "age": .integer(-3), "part": .number(0.5), "isNew": .boolean(true),
            "tags": .array([.string("a,b"), .string("")]), "none": .array([]),
        ]
        let text = RouteAddress.text("people/add", parameters)
        #expect(
            text
                == "people/add?age=-3&isNew=true&name=Ada%20%26%20Bob%3D%3F%23%25%2B%C3%A9%2F%0A&part=0.5&tags=a%2Cb&tags="
        )
        let address = try RouteAddress(text)
        #expect(address.route == "people/add" && RouteAddress.text("list", [:]) == "list")
        #expect(
            address.texts == [
                "age": ["-3"], "isNew": ["true"], "name": ["Ada & Bob=?#%+é/\n"], "part": ["0.5"], "tags": ["a,b", ""],
            ])
    }
}
