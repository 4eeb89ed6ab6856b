import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server with a database of its own, which listens on a socket in its folder. It is stopped in `deinit`.
///
/// PostgreSQL refuses to run as root. If this process does, the server runs as the user `postgres`, whom the package
/// creates.
public final class PostgreSQLServer: Sendable {
    private let scratch: ScratchFolder
    private let programs: String
    private let options: [String]
    private let shell: String?
    private let process = Mutex<pid_t?>(nil)
    private let count = Atomic(0)

    private static let user = "postgres"

    /// The folder of PostgreSQL's programs. Nil if they are not installed.
    public static let programs: String? = {
        // Debian keeps each version in a folder of its own, and does not add it to PATH.
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            .map { "/usr/lib/postgresql/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (folders + path.split(separator: ":").map(String.init)).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    /// True if a server can run: its programs are installed, and root can act as another user.
    public static var isAvailable: Bool {
        programs != nil && (getuid() != 0 || getpwnam(user) != nil)
    }

    /// Creates a server, starts it, and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - options: The settings of the server, such as `max_connections=10`.
    ///   - shell: A shell command that runs as root before the server, in a mount namespace of its own. `$1` is the
    ///     server's folder. Only root can use one.
    /// - Throws: ``ChildFailure`` if the server does not start.
    public init(options: [String] = [], shell: String? = nil) async throws {
        guard let programs = Self.programs else { throw ChildFailure("PostgreSQL is not installed") }
        (scratch, self.programs, self.options, self.shell) = (try ScratchFolder(), programs, options, shell)
        if getuid() == 0 {
            guard let account = getpwnam(Self.user)?.pointee, chown(folder, account.pw_uid, account.pw_gid) == 0
            else { throw ChildFailure("the user \(Self.user) is missing") }
        }
        let created = try await program(
            "initdb",
            ["-D", data, "-U", "viper", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
        ).run()
        guard created.ending == .code(0) else { throw ChildFailure("cannot create a database: \(created)") }
        // A role with a password, to test that the password is never shown.
        try scratch.write("local all secretive scram-sha-256\nlocal all all trust\n", to: "data/pg_hba.conf")
        try await start()
    }

    deinit { end(SIGQUIT) }

    /// The folder of the server, which belongs to its user.
    public var folder: String { scratch.path }
    private var data: String { folder + "/data" }
    private var log: String { folder + "/log" }

    /// Returns a program of PostgreSQL that runs as the server's user.
    private func program(_ name: String, _ arguments: [String]) -> ChildProcess {
        let words = ["\(programs)/\(name)"] + arguments
        if getuid() != 0 { return ChildProcess(words[0], Array(words.dropFirst())) }
        let other = ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"] + words
        guard name == "postgres", let shell else { return ChildProcess(other[0], Array(other.dropFirst())) }
        return ChildProcess("unshare", ["-m", "sh", "-ec", "\(shell); shift; exec \"$@\"", "sh", folder] + other)
    }

    /// Starts the server, unless it is running, and waits until it accepts connections.
    public func start() async throws {
        let settings = [
            "unix_socket_directories=\(folder)", "listen_addresses=", "max_connections=300", "fsync=off",
            "shared_buffers=32MB",
        ]
        let child = program("postgres", ["-D", data] + (settings + options).flatMap { ["-c", $0] })
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let log = log
        // Lock order: the server's lock, then the one of all starting children.
        let started = try process.withLock { process -> Bool in
            guard process == nil else { return false }
            unlink(log)
            process = try ChildProcess.spawning.withLock { _ in try child.spawn(at: null, errors: log) }
            return true
        }
        if !started { return }
        let isReady = await eventually { self.output.contains("ready to accept connections") || !self.isRunning }
        if isReady, isRunning { return }
        // The processes of a killed server may still be ending.
        guard output.contains("still in use") else { throw ChildFailure("the server does not start: \(output)") }
        try await Task.sleep(for: .milliseconds(20))
        try await start()
    }

    /// The server's log since its last start.
    public var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    private var isRunning: Bool {
        process.withLock { process in
            guard let known = process else { return false }
            var status: Int32 = 0
            if waitpid(known, &status, WNOHANG) == known { process = nil }
            return process != nil
        }
    }

    /// Ends the server with a signal, and waits until it has ended. SIGINT rolls running transactions back, SIGQUIT aborts
    /// them as a crash does, and SIGKILL is a crash.
    public func end(_ signal: Int32) {
        process.withLock { process in
            guard let known = process else { return }
            kill(known, signal)
            var status: Int32 = 0
            while waitpid(known, &status, 0) < 0, errno == EINTR {}
            process = nil
        }
    }

    /// Sends a signal to the server and all its processes. SIGSTOP makes it silent, and SIGCONT ends that.
    public func signalAll(_ signal: Int32) throws {
        guard let known = process.withLock({ $0 }) else { return }
        let children = try String(contentsOfFile: "/proc/\(known)/task/\(known)/children", encoding: .utf8)
        for process in [known] + children.split(separator: " ").compactMap({ pid_t($0) }) { kill(process, signal) }
    }

    /// Runs a shell command as root in the server's mount namespace. `$1` is the server's folder.
    ///
    /// - Throws: ``ChildFailure`` if the command fails.
    public func run(shell: String) async throws {
        let target = process.withLock { $0 } ?? 0
        let result = try await ChildProcess(
            "nsenter", ["--target=\(target)", "--mount", "sh", "-ec", shell, "sh", folder]
        ).run()
        guard result.ending == .code(0) else { throw ChildFailure("\(shell): \(result)") }
    }

    /// Creates a database, and returns the connection string for it.
    public func database() async throws -> String {
        let name = "d\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        // Nothing is ever connected to this template, so several databases can be created at the same time.
        _ = try await sql("CREATE DATABASE \(name) TEMPLATE template0", in: connection("postgres"))
        return connection(name)
    }

    private func connection(_ database: String) -> String { "host=\(folder) user=viper dbname=\(database)" }

    /// Runs statements in a database, and returns the output of `psql`, without headers.
    ///
    /// - Throws: ``ChildFailure`` if a statement fails.
    @discardableResult
    public func sql(_ text: String, in database: String) async throws -> String {
        let result = try await ChildProcess(
            "\(programs)/psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", text]
        ).run()
        guard result.ending == .code(0) else { throw ChildFailure("\(text): \(result)") }
        return result.text
    }
}
