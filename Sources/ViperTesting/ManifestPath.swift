import FoundationEssentials

/// The path of a manifest that a test names: a path as it is, a file name in the nearest `Manifests` upwards from the test.
func manifestPath(_ name: String, near testFile: String) -> String {
    guard !name.contains("/") else { return name }
    var folder = URL(filePath: testFile).deletingLastPathComponent()
    while folder.path != "/" {
        let candidate = folder.appending(path: "Manifests").appending(path: name)
        if FileManager.default.fileExists(atPath: candidate.path) { return candidate.path }
        folder.deleteLastPathComponent()
    }
    return name
}
