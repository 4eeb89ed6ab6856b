import Foundation
import Glibc
import Synchronization

/// A `host serve` process that runs during a test. The process is killed in `deinit`.
public final class ServingHost: Sendable {
    /// The path of the host's socket. Empty if the host serves on its standard input and output.
    public let socket: String
    /// The host's process ID.
    public let process: Int32
    private let root: ScratchRoot
    private let errors: String
    private let status = Mutex<Int32?>(nil)

    /// Creates a host process that serves on a socket, and waits until the host accepts connections.
    ///
    /// - Throws: ``ChildFailure`` with the host's log if the host does not accept connections in time.
    public convenience init(
        _ root: ScratchRoot, _ options: String..., environment: [String: String] = [:],
        configure: (inout ChildProcess) -> Void = { _ in }
    ) async throws {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let socket = "\(root.folder.path)/socket"
        try self.init(root, ["--socket", socket] + options, environment, socket, at: null, configure)
        let isThere = await eventually { self.log.contains("host: serving on \(socket)\n") || self.hasEnded }
        if !isThere || hasEnded { throw ChildFailure("the host does not serve: \(log)") }
    }

    /// Starts a host that serves on its standard input and output. Returns the host and a connected client.
    public static func atStandardIO(
        _ root: ScratchRoot, _ options: String..., environment: [String: String] = [:]
    ) throws -> (host: ServingHost, client: TestClient) {
        let (own, other) = try TestClient.pair()
        defer { close(other) }
        let client = TestClient(own)
        return (try ServingHost(root, ["--stdio"] + options, environment, "", at: other) { _ in }, client)
    }

    private init(
        _ root: ScratchRoot, _ options: [String], _ environment: [String: String], _ socket: String,
        at descriptor: Int32, _ configure: (inout ChildProcess) -> Void
    ) throws {
        (self.root, self.socket, errors) = (root, socket, "\(root.folder.path)/\(UUID()).log")
        var child = ChildProcess(
            root.executable, ["serve", "--root", root.path] + options,
            environment: root.environment.merging(environment) { $1 })
        configure(&child)
        let (errors, started) = (errors, child)
        process = try ChildProcess.spawning.withLock { _ in try started.spawn(at: descriptor, errors: errors) }
    }

    deinit {
        if hasEnded { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// The text that the host has written to standard error so far, without times and the IDs of requests.
    public var log: String {
        // Without a regular expression, which takes long in a debug build. Tests read the log again and again.
        timedLog.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0.dropFirst(Self.timeLength(of: $0)).dropLast(Self.requestLength(of: $0))) }
            .joined(separator: "\n")
    }

    /// Returns the length of the ID at the end of a line, such as ` [r-0b10fe86]`. Zero if there is none.
    private static func requestLength(of line: Substring.UTF8View) -> Int {
        guard line.last == UInt8(ascii: "]"), let start = line.lastIndex(of: UInt8(ascii: " ")) else { return 0 }
        return line[start...].starts(with: " [r-".utf8) ? line.distance(from: start, to: line.endIndex) : 0
    }

    /// Returns the length of the time at the start of a line, with the space after it. Zero if the line has no time.
    private static func timeLength(of line: Substring.UTF8View) -> Int {
        let form = "0000-00-00T00:00:00.000Z ".utf8
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let isTime = zip(line, form).allSatisfy { $1 == digits.lowerBound ? digits.contains($0) : $0 == $1 }
        return isTime && line.count >= form.count ? form.count : 0
    }

    /// The host's log as it was written.
    public var timedLog: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    public var hasEnded: Bool {
        self.status.withLock { known in
            if known != nil { return true }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process { known = status }
            return known != nil
        }
    }

    public func send(_ signal: Int32) { if !hasEnded { kill(process, signal) } }

    /// Waits until the process exits, and returns its exit status.
    ///
    /// - Throws: ``ChildFailure`` if the process does not exit in time.
    public func end() async throws -> ChildResult.Ending {
        if await !eventually({ self.hasEnded }) { throw ChildFailure("the host did not exit: \(log)") }
        let status = self.status.withLock { $0 ?? 0 }
        return status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    /// Waits until the host's log contains a string.
    ///
    /// - Throws: ``ChildFailure`` with the host's log if the string does not appear in time, or if the host exits before.
    public func wait(forLog text: String) async throws {
        // The host may log the string and exit between two looks.
        _ = await eventually { self.hasEnded || self.log.contains(text) }
        if !log.contains(text) { throw ChildFailure("\"\(text)\" was never logged: \(log)") }
    }

    public func client() throws -> TestClient { try TestClient(connectingTo: socket) }
}
