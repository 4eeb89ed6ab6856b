import Foundation
import HostDriver
import Synchronization
public import Testing

/// Something that some tests need and that the toolchain does not include.
///
/// If it is missing, a test with the trait ``Testing/Trait/needs(_:)`` or with a call of ``check()`` is skipped. The
/// last lines of the run count the skipped tests of each requirement, in the form `skipped: 3 tests need strace`.
public struct Requirement: TestTrait, SuiteTrait {
    private let name: String
    private let isMet: @Sendable () async -> Bool

    public static let python = Requirement("Python 3") { await Python.isInstalled }
    public static let schemaValidator = Requirement("Python 3 with the package jsonschema") {
        await SchemaJudge.isInstalled
    }
    public static let prometheusClient = Requirement("Python 3 with the package prometheus_client") {
        await Prometheus.isInstalled
    }
    public static let secureClient = Requirement("curl and openssl") {
        guard await isProgram("curl") else { return false }
        return await isProgram("openssl")
    }
    public static let nginx = Requirement("nginx, curl and openssl") {
        for program in ["nginx", "curl", "openssl"] where await !isProgram(program) { return false }
        return true
    }
    public static let strace = Requirement("strace") { await isProgram("strace") }
    public static let zsh = Requirement("zsh") { await isProgram("zsh") }
    public static let valgrind = Requirement("valgrind") { await isProgram("valgrind") }
    public static let screens = Requirement("tmux, and the module terminal, which needs ncurses") {
        FileManager.default.fileExists(atPath: Products.folder + "/libTerminal.so") ? await isProgram("tmux") : false
    }
    public static let socketActivation = Requirement("systemd-socket-activate") {
        await isProgram("systemd-socket-activate")
    }
    public static let lldb = Requirement("lldb that starts, and a system that lets it debug a program") {
        await Debugger.works
    }
    public static let chromium = Requirement("chromium and chromedriver") {
        let isBrowser = await isProgram("chromium")
        return await isProgram("chromedriver") && isBrowser
    }
    public static let axe = Requirement("the Python package axe-playwright-python") { await AxeRules.path != nil }
    public static let postgreSQL = Requirement("PostgreSQL, and its header libpq-fe.h") {
        FileManager.default.fileExists(atPath: Products.folder + "/libPostgreSQLProvider.so")
            && PostgreSQLServer.isAvailable
    }
    public static let web = Requirement("the header of libmicrohttpd, microhttpd.h") {
        FileManager.default.fileExists(atPath: Products.folder + "/libWeb.so")
    }
    /// Only root can run programs as another user.
    public static let strangers = Requirement("root and setpriv, to act as another user") {
        guard getuid() == 0 else { return false }
        return await isProgram("setpriv")
    }
    /// The tests that other users run, because a user's own Python may be unreadable for them.
    public static let systemPython = Requirement("Python 3 in /usr/bin") {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    }
    /// A test that cannot create a namespace calls ``skip()``.
    public static let namespaces = Requirement("a system that lets this user create namespaces") { true }

    private init(_ name: String, isMet: @escaping @Sendable () async -> Bool) {
        (self.name, self.isMet) = (name, isMet)
    }

    private static func isProgram(_ name: String) async -> Bool {
        (try? await Tool.run("sh", ["-c", #"command -v "$1""#, "sh", name])) != nil
    }

    public var isRecursive: Bool { true }

    /// Skips the test if this requirement is missing. A suite passes this trait on to its tests, which are counted one
    /// by one.
    public func prepare(for test: Test) async throws {
        if !test.isSuite, await !isMet() { try skip(test) }
    }

    /// Skips the current test if this requirement is missing.
    ///
    /// - Throws: The error that ends the test.
    public func check() async throws { if await !isMet() { try skip() } }

    /// Skips the current test.
    ///
    /// - Throws: The error that ends the test.
    public func skip() throws -> Never { try skip(Test.current) }

    private func skip(_ test: Test?) throws -> Never {
        SkippedTests.add("\(test.map { "\($0.id)" } ?? "")", need: name)
        try Test.cancel("needs \(name)")
    }
}

extension Trait where Self == Requirement {
    /// A trait that skips a test if a requirement is missing.
    public static func needs(_ requirement: Requirement) -> Self { requirement }
}

/// The tests of this run that were skipped. They are counted when the process exits, below the results.
private enum SkippedTests {
    /// The IDs of the tests, by what they need.
    private static let skipped = Mutex<[String: Set<String>]>([:])

    static func add(_ test: String, need: String) {
        let isFirst = skipped.withLock { skipped in
            defer { skipped[need, default: []].insert(test) }
            return skipped.isEmpty
        }
        if isFirst { atexit { SkippedTests.report() } }
    }

    private static func report() {
        for (need, tests) in skipped.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let line = tests.count == 1 ? "1 test needs \(need)" : "\(tests.count) tests need \(need)"
            FileHandle.standardError.write(Data("skipped: \(line)\n".utf8))
        }
    }
}
