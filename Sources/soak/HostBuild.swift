import Foundation
import TestSupport

/// Builds the host beside this program, so that what is measured is made of the sources as they are.
enum HostBuild {
    static func run() async throws {
        Soak.say("soak: builds the host", to: .standardError)
        // …/.build/TRIPLE/release
        let folder = URL(filePath: Products.folder)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let scratch = folder.deletingLastPathComponent().deletingLastPathComponent().path
        process.arguments =
            ["swift", "build", "-c", folder.lastPathComponent, "--product", "host"]
            + ["--package-path", Products.repository, "--scratch-path", scratch]
        // What it says is no result.
        process.standardOutput = FileHandle.standardError
        let code = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try expect(code == 0, "the host cannot be built")
    }
}
