import Glibc
import HostSystem

/// The kernel's notices of what happens to names in folders, inotify(7).
final class Inotify: Sendable {
    /// Why the kernel gives no notices.
    struct Failure: Error {
        var errno: Int32
    }

    /// One thing that has happened.
    struct Notice: Equatable {
        enum Kind {
            /// Its content may be another: it was closed after writing, or its permissions have changed.
            case changed
            /// It was moved here, perhaps in the place of another.
            case arrived
            /// The name is new. What is behind it may still have to be written.
            case created
            /// The name was removed, or moved elsewhere.
            case gone
            /// The folder itself was removed, moved or unmounted.
            case folderGone
            /// There was more than the kernel keeps, and the rest is lost.
            case lost
        }

        var kind: Kind
        /// The number of the folder.
        var watch: Int32
        /// The name in it; empty where the notice is of the folder itself.
        var name: String
        /// Whether what has that name is a folder.
        var isFolder: Bool
    }

    /// Readable when there are notices.
    let descriptor: Int32

    init() throws(Failure) {
        // IN_CLOEXEC and IN_NONBLOCK are defined as these.
        descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw Failure(errno: errno) }
    }

    deinit { close(descriptor) }

    // Not IN_MODIFY: who writes closes in the end, and until then the content is none.
    private static let wanted =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF
        | IN_ONLYDIR

    /// Watches a folder, and returns its number: always the same for the same folder, however it is called.
    func watch(_ folder: String) throws(Failure) -> Int32 {
        let number = inotify_add_watch(descriptor, folder, UInt32(Self.wanted))
        if number < 0 { throw Failure(errno: errno) }
        return number
    }

    /// Watches a folder no longer. Does nothing for a number that is none.
    func forget(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// What has happened and was not taken yet, in its order. Does not wait.
    func notices() -> [Notice] {
        var notices: [Notice] = []
        // The system hands out whole notices. When none is left: EAGAIN.
        while case .bytes(let bytes) = SystemRead(of: descriptor) {
            var rest = bytes[...]
            while let notice = Notice(takingFrom: &rest) { notices.append(notice) }
        }
        return notices
    }
}

extension Inotify.Notice {
    /// Reads a `struct inotify_event`: watch, mask, cookie, the name's size, each of four bytes, and the name with zeros behind it.
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
