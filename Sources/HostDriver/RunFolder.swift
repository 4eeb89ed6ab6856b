import CSystem
import Foundation
import Glibc
import Synchronization

/// The folder for this process's scratch files, and the process group of its children.
///
/// When this process ends for any reason, a watcher kills the children and removes the folder. The watcher is a shell
/// that waits for the end of a pipe. Only this process has the other end of the pipe.
final class RunFolder: Sendable {
    static let shared = Result { try RunFolder() }

    /// The absolute path, without symbolic links.
    let path: String
    /// The home folder of children that have no other one. Programs create it when they first store something.
    var home: String { path + "/home" }
    /// The process group of the children. The watcher leads the group, so the number stays valid.
    let group: pid_t

    /// The umask with which hosts run, which is that of the test run. `umask 002` before `swift test` therefore runs the
    /// hosts with it.
    let hostMask: mode_t

    /// The umask of everything else. The host refuses fixtures that other users can write to.
    static let ownMask: mode_t = 0o022

    /// The group contains the watcher. `setsid` moves the last part of the script to a group of its own, so that it
    /// can kill the whole group.
    private static let watcher = """
        trap '' HUP INT QUIT TERM
        cat > /dev/null
        setsid sh -c 'kill -s KILL -- "-$1"; rm -rf -- "$2"' sh $$ "$1"
        """

    private init() throws {
        hostMask = umask(Self.ownMask)
        // Paths of sockets are limited to 107 bytes, so the name is short.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        var name = Array("\(temporary)/viper-tests-XXXXXX".utf8CString)
        var ends: [Int32] = [-1, -1]
        // `mkdtemp` uses the mode 0700. Some tests act as another user, who must be able to read files in the folder.
        guard mkdtemp(&name) != nil, chmod(name, 0o755) == 0, pipe2(&ends, O_CLOEXEC) == 0 else {
            throw ChildFailure("cannot create a folder in \(temporary): \(String(cString: strerror(errno)))")
        }
        defer { close(ends[0]) }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        group = try ChildProcess("sh", ["-c", Self.watcher, "sh", path], environment: ["HOME": "/"])
            .spawn(at: ends[0], errors: "/dev/null", group: 0)
        atexit { RunFolder.end() }
    }

    /// Kills the children and waits until they have ended. Then removes the folder.
    static func end() {
        guard let folder = try? shared.get() else { return }
        // Lock order: the lock of ending, then this one.
        ChildProcess.spawning.withLock { _ in
            kill(-folder.group, SIGKILL)
            while waitpid(-folder.group, nil, 0) > 0 || errno == EINTR {}
            // Processes that the children have started may still be ending, and create files until then.
            let files = FileManager.default
            for _ in 1...10 where files.fileExists(atPath: folder.path) { try? files.removeItem(atPath: folder.path) }
        }
    }
}
