import Foundation

/// What is compiled once and used by many tests of one run, each under a key of its own.
actor BuildCache {
    static let shared = BuildCache()

    private var builds: [String: Task<String, any Error>] = [:]

    /// What was made under this key; made now when nobody has asked before. `make` gets an empty folder of its own.
    func output(_ key: String, make: @escaping @Sendable (_ folder: String) async throws -> String) async throws
        -> String
    {
        if let build = builds[key] { return try await build.value }
        let folder = "\(cacheFolder)/\(builds.count)"
        let build = Task {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try await make(folder)
        }
        builds[key] = build
        return try await build.value
    }
}

// Removed when the test run ends, which is when no value is left to do it in its deinit.
private let cacheFolder: String = {
    atexit { try? FileManager.default.removeItem(atPath: cacheFolderPath) }
    return cacheFolderPath
}()

private let cacheFolderPath = FileManager.default.temporaryDirectory.appending(path: "viper-builds-\(getpid())").path
