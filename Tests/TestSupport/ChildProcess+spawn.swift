import CSystem
import Foundation
import Glibc
import Synchronization

extension ChildProcess {
    // A descriptor that is opened while another thread spawns would leak into that thread's child.
    static let spawning = Mutex<Void>(())

    /// Runs a body while no child starts: until a child has become its program, it has copies of all descriptors, and the host finds
    /// that a process has the file open for writing.
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

    /// Starts the program as the first of a session of its own, before a terminal that is its input and all its outputs.
    func spawn(at terminal: Terminal) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session's first process opens becomes the one that Ctrl-C comes from.
        posix_spawn_file_actions_addopen(&actions, 0, terminal.childPath, O_RDWR, 0)
        for output in [1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, 0, output) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, whose C macro Swift does not import.
        posix_spawnattr_setflags(&attributes, 0x80)
        defer { terminal.closeChildSide() }
        closeOthers(&actions)
        return try start(&actions, &attributes)
    }

    /// Starts the program with a descriptor as its standard input and output, and its errors in a file.
    func spawn(at descriptor: Int32, errors: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [0, 1] as [Int32] { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        closeOthers(&actions)
        return try start(&actions, nil)
    }

    // Foundation opens files without O_CLOEXEC. A child of another test would hold a file open that is written now: it cannot be
    // run then, and a host takes it for one that is not whole yet.
    private func closeOthers(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
        posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1)
    }

    private func start(
        _ actions: UnsafePointer<posix_spawn_file_actions_t>, _ attributes: UnsafePointer<posix_spawnattr_t>?
    ) throws -> pid_t {
        // posix_spawn's own way to change the folder is not visible from Swift; env becomes the program.
        // What is ignored is so in children too: SIGPIPE by a test of connections, and SIGINT where a shell runs the tests in the
        // background.
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
