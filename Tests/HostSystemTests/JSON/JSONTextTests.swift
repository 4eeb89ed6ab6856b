import Foundation
import Testing
import ViperKit

@testable import HostSystem

struct JSONTextTests {
    private struct Point: Decodable, Equatable {
        enum CodingKeys: String, CodingKey, CaseIterable { case x, name, tags }
        var x: Int
        var name: String?
        var tags: [Bool]?
    }

    private struct Strict: Decodable {
        enum CodingKeys: String, CodingKey, CaseIterable { case colour, size }
        init(from decoder: any Decoder) throws { _ = try decoder.strictContainer(keyedBy: CodingKeys.self) }
    }

    private func text(_ text: String) throws -> JSONText { try self.text(Data(text.utf8)) }

    private func text(_ data: Data) throws -> JSONText {
        try JSONText(
            name: "file.json", data: data, purpose: .init(code: .fileMalformed, operation: "cannot read file"))
    }

    private func failure<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> ViperError {
        try #require(throws: ViperError.self) { try text(json).decode(type) }
    }

    @Test("Valid JSON is decoded")
    func good() throws {
        #expect(try text(#"{"x": 1, "name": "a"}"#).decode(Point.self) == Point(x: 1, name: "a"))
        #expect(try text(#"{"x": 1}"#).decode(Point.self) == Point(x: 1))
    }

    @Test("A syntax error names its position and no path")
    func syntax() throws {
        let expected = ViperError(
            .fileMalformed, operation: "cannot read file", subject: "file.json:2:3",
            cause: "expected a key in double quotes")
        #expect(try failure(Point.self, "{\n  x: 1}") == expected)
        #expect(throws: expected) { try text("{\n  x: 1}").decode(Point.self) }
    }

    @Test(
        "A value of the wrong type is reported with its position, its path, both types and a fix",
        arguments: [
            (#"{"x": "1"}"#, "1:7", "expected a number, found a string", "$.x", "write a number"),
            (#"{"x": null}"#, "1:7", "expected a number, found null", "$.x", "write a number"),
            (#"{"x": 1, "name": 5}"#, "1:18", "expected a string, found a number", "$.name", "write a string"),
            (#"{"x": 1, "tags": {}}"#, "1:18", "expected an array, found an object", "$.tags", "write an array"),
            (
                "{\"x\": 1,\n \"tags\": [true, 0]}", "2:17", "expected true or false, found a number", "$.tags[1]",
                "write true or false"
            ),
            ("[]", "1:1", "expected an object, found an array", "$", "write an object"),
            (" true", "1:2", "expected an object, found true or false", "$", "write an object"),
        ])
    func kinds(json: String, place: String, cause: String, path: String, fix: String) throws {
        let error = try failure(Point.self, json)
        #expect(error.subject == "file.json:\(place)")
        #expect(error.cause == cause)
        #expect(error.notes == [.init("at", path)])
        #expect(error.fix == fix)
    }

    @Test("A missing key is reported at the object that lacks it")
    func missingKey() throws {
        let error = try failure([Point].self, #"[{"x": 1}, {"name": "a"}]"#)
        #expect(error.subject == "file.json:1:12")
        #expect(error.cause == "\"x\" is missing")
        #expect(error.notes == [.init("at", "$[1]")])
        #expect(error.fix == "add \"x\"")
    }

    @Test("An unknown key is reported with the closest known key, or with all known keys")
    func unknownKey() throws {
        let near = try failure(Strict.self, #"{"size": 1, "color": 2}"#)
        #expect(near.subject == "file.json:1:13")
        #expect(near.cause == "unknown key \"color\"")
        #expect(near.notes == [.init("at", "$.color")])
        #expect(near.fix == "write \"colour\"")
        #expect(try failure(Strict.self, #"{"weight": 1}"#).fix == "use only colour, size")
    }

    @Test("A duplicate key is an error")
    func duplicateKey() throws {
        let json = #"{"x": 1, "\u0078": 1}"#
        let error = try #require(throws: ViperError.self) { try text(json).decode(Point.self) }
        #expect(error.subject == "file.json:1:10")
        #expect(error.cause == "duplicate key \"x\"")
        #expect(error.notes == [.init("at", "$.x")])
        #expect(error.fix == "remove or rename one of them")
    }

    @Test("A trailing comma, which JSONDecoder accepts, is an error")
    func trailingComma() throws {
        let error = try #require(throws: ViperError.self) { try text(#"{"x": 1,}"#).decode(Point.self) }
        #expect(error.subject == "file.json:1:9")
        #expect(error.cause == "expected a key in double quotes")
    }

    @Test("Invalid UTF-8 is reported by line and column")
    func notUTF8() throws {
        let data = Data("{\"x\": 1,\n\"name\": \"".utf8) + [0xFF, 0x22, 0x7D]
        let error = try #require(throws: ViperError.self) { try text(data).decode(Point.self) }
        #expect(error.subject == "file.json:2:10")
        #expect(error.cause == "the text is not valid UTF-8")
    }

    @Test("A lone surrogate is reported at its position")
    func loneSurrogate() throws {
        let error = try failure(Point.self, "{\"x\": 1,\n \"name\": \"a\\ud800b\"}")
        #expect(error.subject == "file.json:2:12")
        #expect(error.cause == "unpaired surrogate")
    }

    @Test("A byte order mark is an error")
    func byteOrderMark() throws {
        let error = try #require(throws: ViperError.self) { try text("\u{FEFF}{\"x\": 1}").decode(Point.self) }
        #expect(error.subject == "file.json:1:1")
        #expect(error.cause == "the text begins with the byte order mark (BOM) of UTF-8")
        #expect(error.fix == "save it as UTF-8 without a byte order mark")
    }
}
