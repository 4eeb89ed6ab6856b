import Testing
import ViperKit
import ViperTesting

struct SnapshotTests {
    private func screen(_ rows: (String, String)...) -> Screen {
        var screen = Screen(title: "Title")
        screen.sections = [Section(rows: rows.map { Row(id: $0.0, title: $0.0, detail: $0.1) })]
        return screen
    }

    @Test("a screen that is as it was recorded passes")
    func same() { expectSnapshot(screen(("One", "1"), ("Two", "2")), "two-rows") }

    @Test("a screen that is not is an issue at the caller's line, with the lines that differ")
    func other() {
        let line = #line + 2
        withKnownIssue {
            expectSnapshot(screen(("One", "1"), ("Six", "6"), ("Ten", "0")), "two-rows")
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return issue.sourceLocation?.line == line && text.contains("VIPER_RECORD=1")
                && text.hasSuffix("\n  Title\n    One   1\n-   Two   2\n+   Six   6\n+   Ten   0\n  ")
        }
    }

    @Test("a screen of which nothing was recorded is an issue that says how to record it")
    func missing() {
        withKnownIssue {
            expectSnapshot(screen(), "no-such-snapshot")
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().contains("run the tests once with VIPER_RECORD=1")
        }
    }
}
