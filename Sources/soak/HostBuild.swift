import Foundation
import HostDriver

/// A build of the host and its modules. It runs before the scenarios, so that they test the current sources.
enum HostBuild {
    static func run() async throws {
        Soak.say("soak: building the host", to: .standardError)
        // The folder is .build/TRIPLE/CONFIGURATION.
        let folder = URL(filePath: Products.folder)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let scratch = folder.deletingLastPathComponent().deletingLastPathComponent().path
        process.arguments =
            ["swift", "build", "-c", folder.lastPathComponent]
            + ["--package-path", Products.repository, "--scratch-path", scratch]
        // Standard output is for results only.
        process.standardOutput = FileHandle.standardError
        let code = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try expect(code == 0, "cannot build the host: swift build exited with \(code)")
    }
}
