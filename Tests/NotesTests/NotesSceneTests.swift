import Testing
import ViperKit
import ViperTesting

@testable import Notes

/// The whole module with a real registry, router and container, and notes in memory.
@MainActor
struct NotesSceneTests {
    private func host(_ provider: MemoryDataProvider) throws -> TestHost {
        try TestHost(NotesModule.self, manifest: "notes.json") { services in
            services.provide(.dataProvider, provider)
        }
    }

    private func provider(_ notes: Note...) async throws -> MemoryDataProvider {
        let provider = MemoryDataProvider()
        for note in notes { try await provider.insert(note, into: "notes") }
        return provider
    }

    @Test("A note is written, shown with its first line, and changed")
    func writing() async throws {
        let provider = MemoryDataProvider()
        let scene = try await host(provider).open("notes")
        #expect(scene.text == "Notes\n  No notes yet\n  [write] Write a note\n")
        try await scene.press("write")
        try await scene.fill("title", "Tea")
        try await scene.fill("text", "Green\nFrom Uji")
        try await scene.fill("day", "2026-11-25")
        try await scene.press("save")
        #expect(
            scene.text == """
                Notes
                ✓ Saved Tea
                  Tea   2026-11-25  [delete] Delete
                    Green
                  Search   []  (text of a note)
                  [write] Write a note

                """)
        let row = try #require(scene.screen.sections.first?.rows.first)
        try await scene.select(row.id)
        #expect(scene.screen.title == "Tea" && scene.screen.message == nil)
        #expect(scene.screen.form?.fields.map(\.value) == ["Tea", "Green\nFrom Uji", "2026-11-25"])
        try await scene.fill("title", "Green tea")
        try await scene.press("save")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.title) == ["Green tea"])
        #expect(try await provider.all(Note.self, in: "notes").map(\.id) == [row.id])
        #expect(
            scene.steps.map { $0.prefix(15) } == [
                "replace-root no", "push notes/edit", "pop notes/edit", "push notes/edit", "pop notes/edit",
            ])
        await scene.expectDeallocated()
    }

    @Test("A note without a title is not saved, and the field says so as soon as it is filled")
    func untitled() async throws {
        let provider = MemoryDataProvider()
        let scene = try await host(provider).open("notes/edit")
        try await scene.fill("title", "  ")
        #expect(scene.screen.form?.fields.first?.error == "must not be empty")
        try await scene.press("save")
        #expect(!scene.isClosed)
        #expect(try await provider.all(Note.self, in: "notes").isEmpty)
        try await scene.press("cancel")
        #expect(scene.isClosed)
    }

    @Test(
        "A note may be for a day, which must exist",
        arguments: [
            ("", true), ("2026-11-25", true), ("2028-02-29", true), ("2000-02-29", true), ("2026-02-29", false),
            ("1900-02-29", false), ("2026-04-31", false), ("2026-13-01", false), ("2026-00-10", false),
            ("2026-01-00", false), ("25.11.2026", false), ("2026-1-1", false), ("2026-11-25 ", false),
            ("٢٠٢٦-11-25", false),
        ])
    func day(text: String, isValid: Bool) async throws {
        let scene = try await host(MemoryDataProvider()).open("notes/edit")
        try await scene.fill("title", "Tea")
        try await scene.fill("day", text)
        #expect(scene.screen.form?.fields.last?.error == (isValid ? nil : "must be a day such as 2026-11-25"))
        try await scene.press("save")
        #expect(scene.isClosed == isValid)
    }

    @Test("A note that an earlier version has stored has no day")
    func withoutDay() async throws {
        struct Old: Record { var id, title, text: String }
        let provider = MemoryDataProvider()
        try await provider.insert(Old(id: "1", title: "Tea", text: "Green"), into: "notes")
        let scene = try await host(provider).open("notes")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.detail) == [nil])
    }

    @Test("The search shows the notes that contain the text in upper or lower case")
    func search() async throws {
        let provider = try await provider(
            Note(id: "1", title: "Tea", text: "Green"), Note(id: "2", title: "Bread", text: "with a GREEN crust"),
            Note(id: "3", title: "Milk", text: ""))
        let scene = try await host(provider).open("notes")
        try await scene.fill("search", "green")
        #expect(scene.screen.sections.flatMap(\.rows).map(\.id) == ["1", "2"])
        try await scene.fill("search", "juice")
        #expect(scene.screen.sections.isEmpty && scene.screen.emptyText == "No note contains juice")
        try await scene.fill("search", "")
        #expect(scene.screen.sections.flatMap(\.rows).count == 3)
    }

    @Test("A note that was deleted elsewhere cannot be saved, and the text stays")
    func deletedElsewhere() async throws {
        let provider = try await provider(Note(id: "1", title: "Tea", text: "Green"))
        let scene = try await host(provider).open(EditNoteRoute(id: "1"))
        try await provider.delete(id: "1", from: "notes")
        try await scene.press("save")
        #expect(scene.screen.alert?.title == "Cannot save the note")
        #expect(scene.screen.form?.fields.map(\.value) == ["Tea", "Green", ""])
        try await scene.press("dismiss")
        #expect(scene.screen.alert == nil)
    }

    @Test("A note that was changed elsewhere is replaced only after the user was told")
    func changedElsewhere() async throws {
        let provider = try await provider(Note(id: "1", title: "Tea", text: "Green"))
        let scene = try await host(provider).open(EditNoteRoute(id: "1"))
        try await provider.replace(Note(id: "1", title: "Tea", text: "Black"), in: "notes")
        try await scene.fill("title", "My tea")
        try await scene.press("save")
        #expect(scene.screen.alert?.title == "Cannot save the note")
        #expect(scene.screen.alert?.message?.contains("somebody has changed it since this form was opened") == true)
        #expect(try await provider.all(Note.self, in: "notes").map(\.text) == ["Black"])
        try await scene.press("dismiss")
        #expect(scene.screen.form?.fields.map(\.value) == ["My tea", "Green", ""])
        try await scene.press("save")
        #expect(scene.isClosed)
        #expect(try await provider.all(Note.self, in: "notes") == [Note(id: "1", title: "My tea", text: "Green")])
    }
}

struct NoteListTests {
    private func list(_ count: Int) -> NoteList {
        var list = NoteList()
        list.notes = (0..<count).map { Note(id: "\($0)", title: "Note \($0)", text: "") }
        return list
    }

    @Test("The list shows a page, offers the next one, and starts again with another search")
    func pages() {
        var list = list(45)
        #expect(list.section.rows.count == 20 && list.section.more?.status == "20 of 45")
        list.showMore()
        #expect(list.section.rows.count == 40 && list.section.more?.status == "40 of 45")
        list.showMore()
        #expect(list.section.rows.count == 45 && list.section.more == nil)
        list.search = "Note"
        #expect(list.section.rows.count == 20)
    }

    @Test("A list that fits on a page offers no more", arguments: [0, 1, 20])
    func small(count: Int) {
        #expect(list(count).section.rows.count == count && list(count).section.more == nil)
    }
}
