package import CSystem
import Foundation
import Glibc
package import Synchronization

extension ChildProcess {
    /// A lock that is held while a child process starts, and while a file is written.
    ///
    /// Until a new child executes its program, it holds copies of all descriptors of this process. Therefore, a
    /// descriptor that another thread opens at that moment could leak into the child, and a file can stay open for writing
    /// even after this process has closed it.
    package static let spawning = Mutex<Void>(())

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
        return try start(&actions)
    }

    /// Starts the program in its own session, with a terminal as its standard input, output and error.
    func spawn(at terminal: Terminal) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal. Ctrl-C then sends SIGINT to
        // the program.
        posix_spawn_file_actions_addopen(&actions, 0, terminal.childPath, O_RDWR, 0)
        for output in [1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, 0, output) }
        defer { terminal.closeChildSide() }
        closeOthers(&actions)
        return try start(&actions, leadsSession: true)
    }

    /// Starts the program with a descriptor as its standard input and output, and a file as its standard error.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to duplicate. The caller still has to close it.
    ///   - errors: The path of the file for standard error. Existing content is overwritten.
    ///   - group: The process group to join, or 0 for a new one. Nil for the group of all children.
    /// - Returns: The child's process ID.
    package func spawn(at descriptor: Int32, errors: String, group: pid_t? = nil) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [0, 1] as [Int32] { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        closeOthers(&actions)
        return try start(&actions, group: group)
    }

    // Foundation opens files without O_CLOEXEC. A child that inherits such a descriptor keeps the file open for
    // writing. The file then cannot be executed, and the host treats it as incomplete.
    private func closeOthers(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
        posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1)
    }

    private func start(
        _ actions: UnsafePointer<posix_spawn_file_actions_t>, leadsSession: Bool = false, group: pid_t? = nil
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The flags are POSIX_SPAWN_SETSID and POSIX_SPAWN_SETPGROUP. Swift does not import the C macros.
        posix_spawnattr_setflags(&attributes, leadsSession ? 0x80 : 0x02)
        if !leadsSession { posix_spawnattr_setpgroup(&attributes, try group ?? RunFolder.shared.get().group) }
        // `env` changes the working folder, because Swift does not import the corresponding function of posix_spawn.
        // `env` also resets signals that this process ignores, because children inherit ignored signals. Examples are
        // SIGPIPE in tests of connections, and SIGINT if a shell runs the tests in the background.
        let words = ["env", "--default-signal", "--chdir=\(workingFolder)"] + (try mask()) + [program] + arguments
        var environment = environment
        if environment["HOME"] == nil { environment["HOME"] = try RunFolder.shared.get().home }
        // Without this, each home folder gets a cache of its own, which takes a second or two to fill.
        environment["CLANG_MODULE_CACHE_PATH"] = Products.moduleCache
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var process: pid_t = 0
        let error = withCStrings(words) { words in
            withCStrings(variables) { variables in
                posix_spawn(&process, "/usr/bin/env", actions, &attributes, words, variables)
            }
        }
        if error != 0 { throw ChildFailure("cannot start \(program): \(String(cString: strerror(error)))") }
        return process
    }

    /// Returns the words that set the umask of a host and then execute it. Empty if it inherits the right one.
    private func mask() throws -> [String] {
        guard program.hasSuffix("/host") else { return [] }
        let mask = try RunFolder.shared.get().hostMask
        if mask == RunFolder.ownMask { return [] }
        return ["/bin/sh", "-c", #"umask "$0"; exec "$@""#, String(mask, radix: 8)]
    }
}

private func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Value
) rethrows -> Value {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return try body(pointers + [nil])
}
