import Testing

@testable import HostSystem

struct JSONPathTests {
    private let text = Array(#"{"a": [1, {"b c": true}], "\u0062": null}"#.utf8)

    @Test("A value is found by its path, together with its key")
    func places() throws {
        typealias Place = JSONScanner.Place
        #expect(try JSONScanner.scan(text) == Place(key: nil, value: 0))
        #expect(try JSONScanner.scan(text, seeking: [.key("a")]) == Place(key: 1, value: 6))
        #expect(try JSONScanner.scan(text, seeking: [.key("a"), .index(0)]) == Place(key: nil, value: 7))
        #expect(
            try JSONScanner.scan(text, seeking: [.key("a"), .index(1), .key("b c")]) == Place(key: 11, value: 18))
        #expect(try JSONScanner.scan(text, seeking: [.key("b")]) == Place(key: 26, value: 36))
    }

    @Test(
        "A path to a missing value finds nothing",
        arguments: [[.key("x")], [.key("a"), .index(2)], [.index(0)], [.key("a"), .index(0), .key("y")]] as [[JSONStep]]
    )
    func missingPath(path: [JSONStep]) throws {
        #expect(try JSONScanner.scan(text, seeking: path) == nil)
    }

    @Test("An error after the sought value is still reported")
    func laterError() {
        #expect(throws: JSONScanner.Problem(offset: 8, cause: "expected a key in double quotes")) {
            try JSONScanner.scan(Array(#"{"a":1, oops}"#.utf8), seeking: [.key("a")])
        }
    }

    @Test(
        "A path is printed in dot and bracket notation",
        arguments: [
            ([], "$"), ([.key("routes"), .index(0), .key("name")], "$.routes[0].name"),
            ([.key("$schema")], #"$["$schema"]"#), ([.key("a b")], #"$["a b"]"#), ([.key("é1_")], "$.é1_"),
            ([.key("")], #"$[""]"#), ([.index(12), .index(0)], "$[12][0]"),
        ] as [([JSONStep], String)])
    func written(path: [JSONStep], text: String) {
        #expect(jsonPath(path) == text)
    }

    @Test(
        "Escapes in a key are decoded",
        arguments: [
            (#""a""#, "a"), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""é\u00e9日""#, "éé日"),
            (#""\ud83d\ude00x\uD83D\uDE00""#, "😀x😀"), (#""\\u0041""#, #"\u0041"#), (#""\u0000\\""#, "\0\\"),
        ])
    func unescapedKey(json: String, key: String) throws {
        #expect(throws: Never.self) { try JSONScanner.scan(Array(json.utf8)) }
        #expect(unescaped(Array(json.utf8)[...]).unicodeScalars.elementsEqual(key.unicodeScalars))
    }
}
