import FoundationEssentials

/// Returns the path of a manifest.
///
/// - Parameters:
///   - name: A path, which is returned unchanged, or a file name without a slash.
///   - testFile: The source file of the test. A file name is looked up in a `Manifests` folder beside this file, and
///     then in the `Manifests` folder of each parent folder. If the file is not found, the name is returned unchanged.
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
