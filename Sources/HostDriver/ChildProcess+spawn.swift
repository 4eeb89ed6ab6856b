package import CSystem
import Foundation
import Glibc
package import Synchronization

extension ChildProcess {
    // Held while a child starts: a descriptor that another thread opens at that moment would leak into the child.
    package static let spawning = Mutex<Void>(())

    /// Runs a body while no child process is being started.
    ///
    /// A child holds copies of all descriptors until it executes its program. During that time the host sees files that
    /// are open for writing.
    public static func whileNoneStarts<Value>(_ body: () throws -> Value) rethrows -> Value {
        try spawning.withLock { _ in try body() }
    }

    func spawn(_ outputFile: String, _ errorFile: String, _ terminal: Terminal?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputFile, create, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorFile, create, 0o600)
        if let terminal { posix_spawn_file_actions_adddup2(&actions, terminal.childSide, 1) }
        if case .file(let path) = output { posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0) }
        defer { terminal?.closeChildSide() }
        closeOthers(&actions)
        return try start(&actions, nil)
    }

    /// Starts the program in its own session, with a terminal as its standard input, output and error.
    func spawn(at terminal: Terminal) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal, which sends SIGINT on
        // Ctrl-C.
        posix_spawn_file_actions_addopen(&actions, 0, terminal.childPath, O_RDWR, 0)
        for output in [1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, 0, output) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID. Swift does not import the C macro.
        posix_spawnattr_setflags(&attributes, 0x80)
        defer { terminal.closeChildSide() }
        closeOthers(&actions)
        return try start(&actions, &attributes)
    }

    /// Starts the program with a descriptor as its standard input and output, and a file as its standard error.
    package func spawn(at descriptor: Int32, errors: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [0, 1] as [Int32] { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        closeOthers(&actions)
        return try start(&actions, nil)
    }

    // Foundation opens files without O_CLOEXEC. A child would keep a file open that another test writes. Such a file
    // cannot be executed, and the host treats it as incomplete.
    private func closeOthers(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
        posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1)
    }

    private func start(
        _ actions: UnsafePointer<posix_spawn_file_actions_t>, _ attributes: UnsafePointer<posix_spawnattr_t>?
    ) throws -> pid_t {
        // `env` changes the folder, because Swift does not import posix_spawn's own call. It also resets signals:
        // children inherit ignored ones, such as SIGPIPE from a connection test, or SIGINT from a shell that runs the
        // tests in the background.
        let words = ["env", "--default-signal", "--chdir=\(workingFolder)", program] + arguments
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let error = withCStrings(words) { words in
            withCStrings(variables) { variables in
                posix_spawn(&process, "/usr/bin/env", actions, attributes, words, variables)
            }
        }
        if error != 0 { throw ChildFailure("cannot start \(program): \(String(cString: strerror(error)))") }
        return process
    }
}

private func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Value
) rethrows -> Value {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return try body(pointers + [nil])
}
