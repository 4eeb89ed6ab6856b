import Foundation
import HostDriver
import Testing
import ViperKit

@testable import Terminal

/// The pictures of screens in `Terminal.md`.
struct ArticleTests {
    private static func model(_ screen: Screen, titles: [String], rows: Int) -> Model {
        let scenes = titles.map { OpenScene(route: $0, title: $0, transition: .push) }
        return Model(
            WindowState(screen: screen, scenes: scenes, error: nil), Model.Size(rows: rows, columns: 56))
    }

    /// The list of people.
    private var people: Model {
        var screen = Screen(title: "People", rows: [Row(id: "1", title: "Ada - 36"), Row(id: "2", title: "Bob - 41")])
        screen.actions = [Action(id: "add", title: "Add a person")]
        return Self.model(screen, titles: ["Menu", "People"], rows: 16)
    }

    /// A form with an error.
    private var form: Model {
        var age = Field(id: "age", label: "Age", value: "", kind: .text)
        age.error = "must not be empty"
        let screen = Screen(
            title: "Add a person", fields: [.text("name", "Ada"), age],
            actions: [Action(id: "add", title: "Add"), Action(id: "cancel", title: "Cancel")])
        return Self.model(screen, titles: ["Menu", "People", "Add a person"], rows: 16)
    }

    /// A chart with a question above it.
    private var chart: Model {
        var section = Section(rows: [
            Row(id: "1", title: "COMSTAR", detail: "$7,488"), Row(id: "2", title: "PERMADYNE", detail: "$2,259"),
            Row(id: "3", title: "RECRISYS", detail: "$4,214"),
        ])
        for (index, number) in [7488.0, 2259, 4214].enumerated() { section.rows[index].numbers = [number] }
        section.kind = .barChart
        var screen = Screen(title: "Balances")
        screen.sections = [section]
        var (remove, keep) = (Action(id: "remove", title: "Remove"), Action(id: "keep", title: "Keep"))
        (remove.role, keep.role) = (.destructive, .cancel)
        screen.alert = Alert(title: "Remove all?", message: "It cannot be undone.", actions: [remove, keep])
        return Self.model(screen, titles: ["Balances"], rows: 16)
    }

    @Test("The article shows screens as the module draws them")
    func pictures() throws {
        let path = "\(Products.repository)/Sources/ViperKit/Documentation.docc/Terminal.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let blocks = article.components(separatedBy: "```text\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
        let frames = [people, form, chart].map { $0.shown.replacing(/\n\n\n+/, with: "\n\n") }
        #expect(blocks == frames, "the frames are:\n\(frames.joined(separator: "\n---\n"))")
    }
}
