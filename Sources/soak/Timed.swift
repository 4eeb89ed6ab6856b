import Foundation
import Glibc

/// A namespace for measuring the running time of a program with little overhead.
enum Timed {
    /// Runs a program until it exits. Returns its running time and its standard output.
    ///
    /// - Throws: ``Failure`` if the program cannot start or exits with an error.
    static func run(_ words: [String], environment: [String] = []) throws -> (time: Duration, output: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)").path
        defer { unlink(file) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file, O_WRONLY | O_CREAT, 0o600)
        let (arguments, variables) = (words.map { strdup($0) }, environment.map { strdup($0) })
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let begin = ContinuousClock.now
        let failure = posix_spawn(&process, words[0], &actions, nil, arguments + [nil], variables + [nil])
        if failure != 0 { throw Failure("cannot start \(words[0]): \(String(cString: strerror(failure)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let time = ContinuousClock.now - begin
        try expect(status == 0, "\(words) ended with status \(status)")
        return (time, try String(contentsOfFile: file, encoding: .utf8))
    }
}
