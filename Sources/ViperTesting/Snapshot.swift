import FoundationEssentials
import ModuleRuntime
public import Testing
public import ViperKit

/// Compares a screen with the text in the file `Snapshots/NAME.txt` beside the test file. The text is the screen as
/// `host run` shows it.
///
/// Records an issue if the texts differ, or if the file does not exist. To write the files, run the tests once with
/// `VIPER_RECORD=1` in the environment, and then review and commit the files. A test that writes a file always fails.
///
/// - Parameters:
///   - screen: The screen to compare.
///   - name: The name of the file, without `.txt`.
///   - testFile: The source file of the test.
///   - sourceLocation: The source location of the recorded issues.
public func expectSnapshot(
    _ screen: Screen, _ name: String, testFile: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let folder = URL(filePath: testFile).deletingLastPathComponent().appending(path: "Snapshots")
    let file = folder.appending(path: name + ".txt")
    let text = TextRenderer(style: TextStyle(isColoured: false)).render(screen)
    if ProcessInfo.processInfo.environment["VIPER_RECORD"] == "1" {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
            // Fails the test, so that a leftover `VIPER_RECORD` cannot hide differences.
            Issue.record("recorded \(file.path); run the tests without VIPER_RECORD", sourceLocation: sourceLocation)
        } catch {
            Issue.record("cannot record \(file.path): \(error)", sourceLocation: sourceLocation)
        }
        return
    }
    guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
        Issue.record(
            "missing snapshot \(file.path): run the tests once with VIPER_RECORD=1, and check the recorded text",
            sourceLocation: sourceLocation)
        return
    }
    if recorded == text { return }
    Issue.record(
        """
        the screen differs from \(file.path); if the change is intended, record it with VIPER_RECORD=1
        \(difference(from: recorded, to: text))
        """, sourceLocation: sourceLocation)
}

/// Returns the differences between two texts, line by line. Removed lines start with `-`, and inserted lines start with
/// `+`.
private func difference(from old: String, to new: String) -> String {
    let (old, new) = (
        old.split(separator: "\n", omittingEmptySubsequences: false),
        new.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let changes = new.difference(from: old)
    let removed = Set(changes.removals.map { offset(of: $0) })
    let inserted = Set(changes.insertions.map { offset(of: $0) })
    var (lines, index): ([String], Int) = ([], 0)
    for (place, line) in old.enumerated() {
        if removed.contains(place) {
            lines.append("- \(line)")
            continue
        }
        while inserted.contains(index) {
            lines.append("+ \(new[index])")
            index += 1
        }
        lines.append("  \(line)")
        index += 1
    }
    return (lines + new.dropFirst(index).map { "+ \($0)" }).joined(separator: "\n")
}

private func offset(of change: CollectionDifference<Substring>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
}

extension TestScene {
    /// Compares the screen of the topmost scene with a recorded text. See
    /// ``expectSnapshot(_:_:testFile:sourceLocation:)``.
    public func expectSnapshot(
        _ name: String, testFile: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        ViperTesting.expectSnapshot(screen, name, testFile: testFile, sourceLocation: sourceLocation)
    }
}
