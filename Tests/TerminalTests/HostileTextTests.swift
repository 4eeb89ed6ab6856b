import TestSupport
import Testing
import ViperKit

@testable import Terminal

/// The corpus of hostile texts in each property of a screen. They change nothing but text.
struct HostileTextTests {
    private static let (rows, columns) = (30, 60)

    private func expectSame(_ key: Key, _ text: String, _ change: (inout Screen) -> Void) {
        let (shown, plain) = (reached(by: key, text, change), reached(by: key, "plain words", change))
        #expect(shown == plain.map { $0?.replacing("plain words", with: text) })
    }

    /// Returns the parts that the focus reaches, in order, and looks at each frame on the way.
    private func reached(by key: Key, _ text: String, _ change: (inout Screen) -> Void) -> [Target?] {
        var screen = Screen.filled(with: text)
        change(&screen)
        var model = Model(screen, routes: ["first", "second"], rows: Self.rows, columns: Self.columns)
        expectHarmless(model)
        return (0..<60).map { _ in
            model.type(key)
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
        expectSame(.tab, hostile.text) { _ in }
        expectSame(.backTab, hostile.text) { $0.alert = nil }
        expectSame(.down, hostile.text) { ($0.alert, $0.form) = (nil, nil) }
    }

    @Test("A text of 1 MB stays in its lines", arguments: HostileText.large)
    func large(hostile: HostileText) {
        var model = Model(.sketched(with: hostile.text), rows: Self.rows, columns: Self.columns)
        for key in [Key.pageDown, .end, .home, .tab, .help] {
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
