import Glibc
import HostSystem

/// A source of kernel notices about changed names in folders. See inotify(7).
final class Inotify: Sendable {
    struct Failure: Error {
        var errno: Int32
    }

    struct Notice: Equatable {
        enum Kind {
            /// The file was closed after writing, or its permissions were changed.
            case changed
            /// The file was moved into the folder. It may have replaced another file.
            case arrived
            /// The name is new. The file's content may not be written yet.
            case created
            /// The file was removed, or moved to another folder.
            case gone
            /// The folder itself was removed, moved or unmounted.
            case folderGone
            /// The kernel's queue overflowed, and later notices were discarded.
            case lost
        }

        var kind: Kind
        /// The number of the watch, which identifies the folder.
        var watch: Int32
        /// The changed name in the folder. Empty if the notice is about the folder itself.
        var name: String
        var isFolder: Bool
    }

    /// A descriptor that is readable while notices are pending.
    let descriptor: Int32

    init() throws(Failure) {
        // The same values as IN_CLOEXEC and IN_NONBLOCK.
        descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw Failure(errno: errno) }
    }

    deinit { close(descriptor) }

    // Excludes IN_MODIFY: a file is complete only when its writer closes it.
    private static let wanted =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR

    /// Watches a folder and returns the number of the watch. All paths to the same folder have the same number.
    func watch(_ folder: String) throws(Failure) -> Int32 {
        let number = inotify_add_watch(descriptor, folder, UInt32(Self.wanted))
        if number < 0 { throw Failure(errno: errno) }
        return number
    }

    func forget(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Returns the pending notices in order, without waiting.
    func notices() -> [Notice] {
        var notices: [Notice] = []
        // A read returns only whole notices. It fails with EAGAIN if no notice is pending.
        while case .bytes(let bytes) = SystemRead(of: descriptor) {
            var rest = bytes[...]
            while let notice = Notice(takingFrom: &rest) { notices.append(notice) }
        }
        return notices
    }
}

extension Inotify.Notice {
    /// Creates a notice by parsing a `struct inotify_event`. The event consists of the watch, mask, cookie and length,
    /// with four bytes each, and the zero-padded name.
    fileprivate init?(takingFrom bytes: inout ArraySlice<UInt8>) {
        func number(_ index: Int) -> UInt32 {
            let start = bytes.startIndex + index * 4
            return bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard bytes.count >= 16 else { return nil }
        let (mask, size) = (Int32(bitPattern: number(1)), Int(number(3)))
        kind =
            switch mask {
            case _ where mask & IN_Q_OVERFLOW != 0: .lost
            case _ where mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0: .folderGone
            case _ where mask & (IN_DELETE | IN_MOVED_FROM) != 0: .gone
            case _ where mask & IN_CREATE != 0: .created
            case _ where mask & IN_MOVED_TO != 0: .arrived
            default: .changed
            }
        watch = Int32(bitPattern: number(0))
        isFolder = mask & IN_ISDIR != 0
        name = String(decoding: bytes.dropFirst(16).prefix(size).prefix { $0 != 0 }, as: UTF8.self)
        bytes = bytes.dropFirst(16 + size)
    }
}
