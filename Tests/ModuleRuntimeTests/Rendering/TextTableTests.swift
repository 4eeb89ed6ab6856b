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
}
