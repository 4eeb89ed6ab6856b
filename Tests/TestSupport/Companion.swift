import Foundation
import Glibc
public import HostDriver
import Synchronization

/// A program that runs alongside a test and communicates through its standard input and output. It is killed in
/// `deinit`.
public final class Companion: Sendable {
    private let process: pid_t
    private let client: TestClient
    private let folder: ScratchFolder

    /// Starts a program.
    ///
    /// - Throws: ``ChildFailure`` if the program cannot be started.
    public init(_ child: ChildProcess) throws {
        folder = try ScratchFolder()
        let (own, other) = try TestClient.pair()
        defer { close(other) }
        client = TestClient(own)
        let errors = folder.path + "/errors"
        process = try ChildProcess.spawning.withLock { _ in try child.spawn(at: other, errors: errors) }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Writes a line to the program's input.
    public func send(_ line: String) throws { try client.send(line) }

    /// Returns the next line of the program's output.
    ///
    /// - Throws: ``ChildFailure`` with the program's standard error if the output ends first.
    public func line() async throws -> String {
        do {
            return try await client.line()
        } catch {
            let errors = try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)
            throw ChildFailure("\(error)\n\(errors ?? "")")
        }
    }
}
