import TestSupport
import Testing
import ViperKit
import ViperTesting

@Suite(.fewAtOnce)
struct SnapshotTests {
    static func screen(_ rows: (String, String)...) -> Screen {
        var screen = Screen(title: "Title")
        screen.sections = [Section(rows: rows.map { Row(id: $0.0, title: $0.0, detail: $0.1) })]
        return screen
    }

    @Test("A screen that matches its snapshot passes")
    func same() { expectSnapshot(Self.screen(("One", "1"), ("Two", "2")), "two-rows") }

    @Test("A screen that differs from its snapshot fails on the caller's line and shows the differing lines")
    func other() async throws {
        let issues = try await Mistake.otherScreen.issues()
        let issue = try #require(issues.first)
        #expect(issues.count == 1 && issue.line.contains("expectSnapshot(SnapshotTests.screen((\"One\""), "\(issues)")
        #expect(issue.text.contains("VIPER_RECORD=1"))
        #expect(issue.text.hasSuffix("\n  Title\n    One   1\n-   Two   2\n+   Six   6\n+   Ten   0\n  "), "\(issue)")
    }

    @Test("A missing snapshot fails and says how to record it")
    func missing() async throws {
        let issues = try await Mistake.missingSnapshot.issues()
        #expect(issues.map { $0.text.contains("run the tests once with VIPER_RECORD=1") } == [true], "\(issues)")
    }
}
