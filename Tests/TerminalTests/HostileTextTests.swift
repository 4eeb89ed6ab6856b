import TestSupport
import Testing
import ViperKit

@testable import Terminal

/// The corpus of hostile texts in each property of a screen. They change nothing but text.
struct HostileTextTests {
    private static let (rows, columns) = (30, 60)

    /// A walk through the parts of a screen.
    private struct Walk {
        var key: Key
        var count: Int
        var change: @Sendable (inout Screen) -> Void
    }

    private static let plain = "plain words"
    private static let walks = [
        Walk(key: .tab, count: 4) { _ in },
        Walk(key: .backTab, count: 18) { $0.alert = nil },
        Walk(key: .down, count: 20) { ($0.alert, $0.form, $0.text) = (nil, nil, nil) },
    ]

    /// The parts that each walk reaches on a screen of harmless texts.
    private static let expected = walks.map { HostileTextTests().reached(on: $0, plain) }

    /// Returns the parts that the focus reaches, in order, and looks at each frame on the way.
    private func reached(on walk: Walk, _ text: String) -> [Target?] {
        var screen = Screen.filled(with: text)
        walk.change(&screen)
        var model = Model(screen, routes: ["first", "second"], rows: Self.rows, columns: Self.columns)
        expectHarmless(model)
        return (0..<walk.count).map { _ in
            model.type(walk.key)
            expectHarmless(model)
            return model.scene.focus
        }
    }

    private func expectHarmless(_ model: Model) {
        let lines = model.draw().lines
        #expect(lines.count == Self.rows)
        for line in lines {
            #expect(line.width <= Self.columns && CellText.width(line.text) == line.width)
            let clean = line.text.replacingHarmfulScalars(keepingLines: false)
            #expect(clean.unicodeScalars.elementsEqual(line.text.unicodeScalars))
        }
    }

    @Test(
        "Hostile texts leave the parts of a screen as they are, and stay in their lines", arguments: HostileText.short)
    func short(hostile: HostileText) {
        for (walk, expected) in zip(Self.walks, Self.expected) {
            let parts = expected.map { $0?.replacing(Self.plain, with: hostile.text) }
            #expect(reached(on: walk, hostile.text) == parts)
        }
    }

    @Test("A text of 1 MB stays in its lines", arguments: HostileText.large)
    func large(hostile: HostileText) {
        var model = Model(.sketched(with: hostile.text), rows: Self.rows, columns: Self.columns)
        for key in [Key.end, .tab] {
            model.type(key)
            expectHarmless(model)
        }
    }
}

extension Target {
    /// Returns the target with another text in its ID.
    fileprivate func replacing(_ old: String, with new: String) -> Target {
        switch self {
        case .field(let id): .field(id.replacing(old, with: new))
        case .row(let id): .row(id.replacing(old, with: new))
        case .action(let id): .action(id.replacing(old, with: new))
        default: self
        }
    }
}
