import FoundationEssentials

/// Returns the path of a manifest.
///
/// - Parameters:
///   - name: A path, which is returned unchanged, or a file name without a slash.
///   - testFile: A file name is searched in the `Manifests` folders upwards from this file. If it is not found, the
///     name is returned.
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
