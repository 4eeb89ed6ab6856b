import Testing

@testable import Terminal

struct CellTextTests {
    @Test("Wide characters take two columns, combining characters none")
    func width() {
        #expect(CellText.width("abc") == 3)
        #expect(CellText.width("名前") == 4)
        #expect(CellText.width("e\u{301}") == 1)
    }

    @Test(
        "Control characters and characters that reorder text are replaced",
        arguments: [
            ("a\u{1B}[2Jb", "a�[2Jb"), ("a\u{202E}b", "a�b"), ("a\nb\tc", "a�b�c"), ("a\u{85}b", "a�b"),
            ("\u{200D}a", "�a"), ("e\u{301}", "e\u{301}"), ("👨\u{200D}👩", "👨\u{200D}👩"), ("❤\u{FE0F}", "❤\u{FE0F}"),
        ])
    func clean(text: String, shown: String) { #expect(CellText.clean(text) == shown) }

    @Test("A text that is cut off ends with an ellipsis and never exceeds its columns")
    func clip() {
        #expect(CellText.clipped("abcdef", to: 4) == "abc…")
        #expect(CellText.clipped("名前名前", to: 5) == "名前…")
        #expect(CellText.clipped("名前名前", to: 4) == "名…")
        #expect(CellText.clipped("abc", to: 3) == "abc")
        #expect(CellText.clipped("abc", to: 0) == "")
        #expect(CellText.fitted("名", to: 4) == "名  ")
        #expect(CellText.fitted("1", to: 3, isTrailing: true) == "  1")
    }

    @Test("A character with many marks is cut off like a long text")
    func marks() {
        let flood = "Z" + String(repeating: "\u{301}", count: 100_000)
        #expect(CellText.clean(flood).unicodeScalars.count == 2_000)
        #expect(CellText.wrapped(flood, to: 40, limit: 4).joined().unicodeScalars.count == 320)
    }

    @Test("Columns that do not fit become equally wide, and narrow ones stay")
    func columns() {
        #expect(ColumnWidths.fitted([10, 20], into: 40) == [10, 20])
        #expect(ColumnWidths.fitted([10, 20], into: 27) == [10, 15])
        #expect(ColumnWidths.fitted([30, 5, 30], into: 30) == [11, 5, 10])
        #expect(ColumnWidths.fitted([30, 2, 30], into: 3) == [4, 2, 4])
        #expect(ColumnWidths.fitted(Array(repeating: 1_000, count: 1_000), into: 80).allSatisfy { $0 == 4 })
        #expect(ColumnWidths.fitted([], into: 10) == [])
    }

    @Test("Long lines break at spaces, and words that are too long anywhere")
    func wrap() {
        #expect(CellText.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(CellText.wrapped("abcdefgh", to: 3) == ["abc", "def", "gh"])
        #expect(CellText.wrapped("a\n\nb", to: 3) == ["a", "", "b"])
        #expect(CellText.wrapped("名前名前", to: 3) == ["名", "前", "名", "前"])
        #expect(CellText.wrapped("a b c", to: 1, limit: 2) == ["a", "…"])
        #expect(CellText.wrapped("名", to: 1) == ["名"])
    }
}

struct TextEditTests {
    @Test("Typing, deleting and moving change the text at the cursor")
    func edit() {
        var edit = TextEdit("Ada")
        edit.insert("m")
        edit.move(by: -2)
        edit.insert("X")
        #expect(edit.text == "AdXam")
        edit.deleteBackward()
        edit.deleteForward()
        #expect(edit.text == "Adm")
        edit.moveToStart()
        edit.deleteBackward()
        #expect(edit.text == "Adm")
    }

    @Test("A combining character joins the character before it")
    func combine() {
        var edit = TextEdit("e")
        edit.insert("\u{301}")
        #expect(edit.characters.count == 1 && edit.cursor == 1)
    }

    @Test("A pasted text goes to the cursor at once, also before a long text", .timeLimit(.minutes(1)))
    func paste() {
        var edit = TextEdit(String(repeating: "b", count: 300_000))
        edit.moveToStart()
        // With a move of the later text for each character, this takes minutes.
        edit.insert(String(repeating: "a", count: 300_000))
        #expect(edit.cursor == 300_000 && edit.characters[299_999] == "a" && edit.characters[300_000] == "b")
        edit.insert("e\u{301}")
        #expect(edit.cursor == 300_001)
    }

    @Test("Lines break at the width and at line breaks, and the cursor moves between them")
    func lines() {
        var edit = TextEdit("abcd\nef")
        #expect(edit.lines(width: 3) == [0..<3, 3..<4, 5..<7])
        #expect(edit.place(in: edit.lines(width: 3)) == (2, 2))
        #expect(edit.move(byLines: -1, width: 3) == true)
        #expect(edit.cursor == 4)
        #expect(edit.move(byLines: -1, width: 3) == true)
        #expect(edit.move(byLines: -1, width: 3) == false)
        edit.deleteToStart()
        #expect(edit.text == "bcd\nef")
    }

    @Test("Ctrl-W deletes the word before the cursor")
    func word() {
        var edit = TextEdit("one two ")
        edit.deleteWord()
        #expect(edit.text == "one ")
    }
}
