import Foundation
import Testing

@testable import HostSystem

/// The texts that the scanner accepts and rejects. Valid ones are also decoded by `JSONDecoder`, as in the host.
struct JSONScannerTests {
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    @Test(
        "Valid JSON is accepted, also by JSONDecoder",
        arguments: [
            "null", "true", "false", "0", "-0", "10", "-1.5", "1e5", "1E+05", "1.25e-3", "\"\"", "[]", "{}",
            " \t\r\n[ 1 , 2 ]\n", "[[[]]]", "{\"a\":{\"b\":[{}]}}", "{\"\":1,\" \":2}",
            #""\" \\ \/ \b \f \n \r \t \u00e9 \uD834\uDD1E""#, "\"日本 🇯🇵 e\u{301}\"", "\"\u{7F}\u{2028}\"",
        ])
    func valid(text: String) throws {
        #expect(
            try JSONScanner.scan(Array(text.utf8)) == JSONScanner.Place(key: nil, value: text.hasPrefix(" ") ? 4 : 0))
        #expect(throws: Never.self) { try JSONDecoder().decode(Anything.self, from: Data(text.utf8)) }
    }

    @Test(
        "A syntax error is reported at its offset",
        arguments: [
            ("", 0, "expected a value, found the end of the text"),
            ("  \n", 3, "expected a value, found the end of the text"),
            ("[", 1, "expected a value, found the end of the text"),
            ("[1,]", 3, "expected a value"),
            ("[,1]", 1, "expected a value"),
            ("[1 2]", 3, "expected a comma or a closing bracket"),
            ("[1}", 2, "expected a comma or a closing bracket"),
            ("[1", 2, "expected a comma or a closing bracket"),
            ("{", 1, "expected a key in double quotes"),
            ("{a:1}", 1, "expected a key in double quotes"),
            ("{'a':1}", 1, "expected a key in double quotes"),
            ("{\"a\":1,}", 7, "expected a key in double quotes"),
            ("{\"a\" 1}", 5, "expected a colon"),
            ("{\"a\":}", 5, "expected a value"),
            ("{\"a\":1 \"b\":2}", 7, "expected a comma or a closing brace"),
            ("{\"a\":1]", 6, "expected a comma or a closing brace"),
            ("1 2", 2, "unexpected text after the value"),
            ("{}}", 2, "unexpected text after the value"),
            ("null,", 4, "unexpected text after the value"),
            ("tru", 0, "expected a value"),
            ("[nul]", 1, "expected a value"),
            ("True", 0, "expected a value"),
            ("NaN", 0, "expected a value"),
            ("Infinity", 0, "expected a value"),
            ("// no\n1", 0, "expected a value"),
            ("\u{A0}1", 0, "expected a value"),
        ])
    func syntax(text: String, offset: Int, cause: String) {
        #expect(throws: JSONScanner.Problem(offset: offset, cause: cause)) {
            try JSONScanner.scan(Array(text.utf8))
        }
    }

    @Test(
        "An invalid number is reported at the invalid character",
        arguments: [
            ("-", 1, "expected a digit"), ("-a", 1, "expected a digit"),
            ("1.", 2, "expected a digit"), ("1.e5", 2, "expected a digit"),
            ("1e", 2, "expected a digit"), ("1e+", 3, "expected a digit"),
            ("01", 1, "unexpected text after the value"), ("-01", 2, "unexpected text after the value"),
            ("0x10", 1, "unexpected text after the value"), ("1_000", 1, "unexpected text after the value"),
            ("+1", 0, "expected a value"), (".5", 0, "expected a value"),
        ])
    func numbers(text: String, offset: Int, cause: String) {
        #expect(throws: JSONScanner.Problem(offset: offset, cause: cause)) {
            try JSONScanner.scan(Array(text.utf8))
        }
    }

    @Test(
        "An invalid string is reported at the invalid character or escape",
        arguments: [
            ("\"abc", 4, "the text ends inside a string"), ("\"a\\\"", 4, "the text ends inside a string"),
            ("\"a\nb\"", 2, "a control character in a string is not escaped"),
            ("\"\u{0}\"", 1, "a control character in a string is not escaped"),
            ("\"\\x41\"", 2, "unknown escape sequence"), ("\"\\", 2, "unknown escape sequence"),
            ("\"\\U0041\"", 2, "unknown escape sequence"),
            ("\"\\u12g4\"", 5, "expected four hexadecimal digits after \\u"),
            ("\"\\u12", 5, "expected four hexadecimal digits after \\u"),
            ("\"a\\ud800\"", 2, "unpaired surrogate"),
            ("\"\\uDC00\"", 1, "unpaired surrogate"),
            ("\"\\ud800\\u0041\"", 1, "unpaired surrogate"),
            ("\"\\ud83d\\n\"", 1, "unpaired surrogate"),
            ("\"\\ud83d\\ude0\"", 12, "expected four hexadecimal digits after \\u"),
        ])
    func strings(text: String, offset: Int, cause: String) {
        #expect(throws: JSONScanner.Problem(offset: offset, cause: cause)) {
            try JSONScanner.scan(Array(text.utf8))
        }
    }

    @Test(
        "A duplicate key is reported at its second occurrence, even if it is escaped differently",
        arguments: [
            (#"{"a":1,"a":2}"#, 7, "a", [.key("a")]), (#"{"a":1,"\u0061":2}"#, 7, "a", [.key("a")]),
            (#"{"\u0061":1,"a":2}"#, 12, "a", [.key("a")]), (#"{"":1,"":1}"#, 6, "", [.key("")]),
            (#"[0, {"x":{"k":[1], "k":1}}]"#, 19, "k", [.index(1), .key("x"), .key("k")]),
            (#"{"é":1,"\u00E9":1}"#, 8, "é", [.key("é")]), (#"{"\/":1,"/":1}"#, 8, "/", [.key("/")]),
            // The Kelvin sign is another Unicode form of the letter K.
            ("{\"K\":1,\"\u{212A}\":2}", 7, "K", [.key("K")]), ("{\"\u{212A}\":1,\"K\":2}", 9, "K", [.key("K")]),
            (#"{"o":{"a":1},"a":{},"o":0}"#, 20, "o", [.key("o")]),
            ("{\(keys(0...15)),\"k15\":0}", 119, "k15", [.key("k15")]),
            ("{\(keys(0...40)),\"k3\":0}", 319, "k3", [.key("k3")]),
        ] as [(String, Int, String, [JSONStep])])
    func duplicates(text: String, offset: Int, key: String, path: [JSONStep]) {
        let problem = JSONScanner.Problem(
            offset: offset, cause: "duplicate key \"\(key)\"", path: path,
            fix: "remove or rename one of them")
        #expect(throws: problem) { try JSONScanner.scan(Array(text.utf8)) }
    }

    /// Returns members of an object with the keys `k0`, `k1` and so on.
    private static func keys(_ range: ClosedRange<Int>) -> String {
        range.map { "\"k\($0)\":0" }.joined(separator: ",")
    }

    @Test("Equal keys in different objects and keys that differ in case are not duplicates")
    func noDuplicates() throws {
        #expect(throws: Never.self) {
            _ = try JSONScanner.scan(Array(#"[{"a":1},{"a":{"a":2,"A":3}}]"#.utf8))
            _ = try JSONScanner.scan(Array("{\(Self.keys(0...30)),\"o\":{\(Self.keys(0...30))}}".utf8))
        }
    }

    @Test(
        "A byte order mark is reported with its encoding",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "UTF-8"), ([0xFF, 0xFE, 0x7B, 0x00], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
        ] as [([UInt8], String)])
    func byteOrderMark(bytes: [UInt8], encoding: String) {
        let problem = JSONScanner.Problem(
            offset: 0, cause: "the text begins with the byte order mark (BOM) of \(encoding)",
            fix: "save it as UTF-8 without a byte order mark")
        #expect(throws: problem) { try JSONScanner.scan(bytes) }
    }

    @Test(
        "Invalid UTF-8 is reported at its first byte",
        arguments: [
            ([0xFF, 0x41], 0), ([0x22, 0xC3, 0x22], 1), ([0x22, 0x41, 0xED, 0xA0, 0x80, 0x22], 2),
            ([0x22, 0xC0, 0x80, 0x22], 1), ([0x31, 0x20, 0x80], 2), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),
        ] as [([UInt8], Int)])
    func utf8(bytes: [UInt8], offset: Int) {
        #expect(throws: JSONScanner.Problem(offset: offset, cause: "the text is not valid UTF-8")) {
            try JSONScanner.scan(bytes)
        }
    }

    @Test("512 levels of nesting are accepted and 513 are rejected, as by JSONDecoder", arguments: ["[]", "{}"])
    func depth(brackets: String) throws {
        func nested(_ levels: Int) -> String {
            brackets == "[]"
                ? String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
                : String(repeating: "{\"a\":", count: levels) + "1" + String(repeating: "}", count: levels)
        }
        #expect(throws: Never.self) { try JSONScanner.scan(Array(nested(512).utf8)) }
        #expect(throws: Never.self) { try JSONDecoder().decode(Anything.self, from: Data(nested(512).utf8)) }
        let offset = brackets == "[]" ? 512 : 512 * 5
        #expect(
            throws: JSONScanner.Problem(offset: offset, cause: "the text is nested more than 512 levels deep")
        ) { try JSONScanner.scan(Array(nested(513).utf8)) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Anything.self, from: Data(nested(513).utf8))
        }
    }
}
