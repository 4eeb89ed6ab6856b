import HostSystem
import Testing

@testable import ModuleRuntime

struct TextTableTests {
    private let plain = TextStyle(isColoured: false)

    @Test("Columns are aligned with their headings, and lines have no trailing spaces")
    func columns() {
        var table = TextTable(headings: ["NAME", "STATE", "SUMMARY"])
        table.add(["company-list", "resolved", "Lists"])
        table.add(["a", "", ""])
        #expect(
            table.text(plain) == """
                NAME          STATE     SUMMARY
                company-list  resolved  Lists
                a

                """)
    }

    @Test("A table without rows has only its headings")
    func empty() {
        #expect(TextTable(headings: ["NAME", "STATE"]).text(plain) == "NAME  STATE\n")
    }

    @Test("Wide and combining characters are aligned as in a terminal")
    func wide() {
        var table = TextTable(headings: ["A", "B"])
        table.add(["日本", "1"])
        table.add(["e\u{301}", "2"])
        #expect(table.text(plain) == "A     B\n日本  1\ne\u{301}     2\n")
    }

    @Test("Control characters in cells are replaced, and only the headings are bold")
    func style() {
        var table = TextTable(headings: ["A"])
        table.add(["a\nb"])
        #expect(table.text(TextStyle(isColoured: true)) == "\u{1B}[1mA\u{1B}[0m\na\u{FFFD}b\n")
    }

    private func table() -> TextTable {
        var table = TextTable(headings: ["NAME", "PARAMETERS", "SUMMARY"])
        table.add(["alert", "title=STRING [message=STRING]", "Asks for a confirmation"])
        table.add(["x", "", "日本日本 日本"])
        return table
    }

    @Test("A table that is wider than the terminal breaks its widest columns between words, or is stacked")
    func narrow() {
        #expect(table().text(plain, width: 62) == table().text(plain))
        #expect(
            table().text(plain, width: 45) == """
                NAME   PARAMETERS          SUMMARY
                alert  title=STRING        Asks for a
                       [message=STRING]    confirmation
                x                          日本日本 日本

                """)
        #expect(
            table().text(plain, width: 30) == """
                NAME        alert
                PARAMETERS  title=STRING
                            [message=STRING]
                SUMMARY     Asks for a
                            confirmation

                NAME     x
                SUMMARY  日本日本 日本

                """)
    }

    @Test("No line is wider than the terminal, and no text is lost", arguments: [16, 17, 20, 31, 58, 80])
    func fits(width: Int) {
        let text = table().text(plain, width: width)
        for line in text.split(separator: "\n") { #expect(displayWidth(String(line)) <= width, "\(line)") }
        for letter in "alertmessageconfirmation日本" {
            #expect(text.count { $0 == letter } == table().text(plain).count { $0 == letter })
        }
    }

    @Test("A huge text is broken in time, and a terminal that is too narrow does not stop the table")
    func huge() {
        var table = TextTable(headings: ["A", "B"])
        table.add([String(repeating: "x", count: 1_000_000), String(repeating: "y ", count: 500_000)])
        let lines = table.text(plain, width: 80).split(separator: "\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
        #expect(lines.reduce(0) { $0 + $1.count { $0 == "x" } } == 1_000_000)
        #expect(!self.table().text(plain, width: 1).isEmpty)
    }
}
