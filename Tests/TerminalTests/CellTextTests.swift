import Testing

@testable import Terminal

struct CellTextTests {
    @Test("Wide characters count two columns, combining characters none")
    func width() {
        #expect(CellText.width("abc") == 3)
        #expect(CellText.width("名前") == 4)
        #expect(CellText.width("e\u{301}") == 1)
    }
}
