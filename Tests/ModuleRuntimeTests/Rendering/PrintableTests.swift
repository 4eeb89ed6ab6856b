import Foundation
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleRuntime

struct PrintableTests {
    @Test("A colored style keeps its own escape sequences and replaces all others")
    func styled() {
        let style = TextStyle(isColoured: true)
        let own = style.bold("a") + style.dim("b") + style.red("c")
        #expect(style.printable(own + "\u{1B}[2Jd\u{1B}") == own + "\u{FFFD}[2Jd\u{FFFD}")
        #expect(TextStyle(isColoured: false).printable(style.bold("a")) == "\u{FFFD}[1ma\u{FFFD}[0m")
    }

    @Test("Line breaks and other harmful characters in an error's texts are replaced")
    func error() {
        let error = ViperError(
            .jsonInvalid, operation: "cannot", subject: "a\nhost: b", cause: "c\n", notes: [.init("d\n", "e\u{202E}")],
            fix: "\u{1B}f")
        #expect(
            "\(printable(error))"
                == "cannot \"a\u{FFFD}host: b\": c\u{FFFD}\n  d\u{FFFD}  e\u{FFFD}\n  fix: \u{FFFD}f")
    }

    @Test("JSON contains no harmful character and is read back unchanged")
    func json() throws {
        let scalars = [0...0xFFFF, 0xE_0000...0xE_0FFF].joined().compactMap { Unicode.Scalar(UInt32($0)) }
        let value = [String(String.UnicodeScalarView(scalars)), "👩\u{200D}🚀"]
        for json in [
            try renderJSON(value), try renderJSONLine(value),
            String(decoding: try FoundationJSONCoder().encode(value), as: UTF8.self),
        ] {
            #expect(printableLines(json).unicodeScalars.elementsEqual(json.unicodeScalars))
            #expect(json.contains(#"\u202e"#) && json.contains(#"\udb40\udc41"#) && json.contains("👩\u{200D}🚀"))
            let read = try FoundationJSONCoder().decode([String].self, from: Array(json.utf8), named: "json")
            #expect(read.map { Array($0.unicodeScalars) } == value.map { Array($0.unicodeScalars) })
        }
        // Keys are escaped as well, and everything else stays as the encoder wrote it.
        #expect(try renderJSONLine(["a\u{7F}\u{2028}": "é/\"\\\n"]) == "{\"a\\u007f\\u2028\":\"é/\\\"\\\\\\n\"}\n")
    }
}
