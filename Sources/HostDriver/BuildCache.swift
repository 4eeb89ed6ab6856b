import Foundation

/// A cache for build results. All tests in one run share it.
package actor BuildCache {
    package static let shared = BuildCache()

    private var builds: [String: Task<String, any Error>] = [:]

    /// Returns the result for a key. The first call for a key runs `make`, which receives the path of an empty folder.
    /// Later calls wait for the same result.
    package func output(_ key: String, make: @escaping @Sendable (_ folder: String) async throws -> String) async throws
        -> String
    {
        if let build = builds[key] { return try await build.value }
        let folder = "\(try RunFolder.shared.get().path)/builds/\(builds.count)"
        let build = Task {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try await make(folder)
        }
        builds[key] = build
        return try await build.value
    }
}
