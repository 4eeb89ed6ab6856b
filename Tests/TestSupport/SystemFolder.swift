import Foundation
import HostDriver

/// A new folder in `/run`, which only root can write to. Unlike a ``HostDriver/ScratchFolder``, it is not below a sticky
/// folder such as `/tmp`, where the host trusts fewer users.
///
/// Tests with such a folder have the trait `.needs(.strangers)`, because it takes root to create it.
public final class SystemFolder: Sendable {
    public let path: String

    public init() throws {
        var name = Array("/run/viper-tests-XXXXXX".utf8CString)
        // `mkdtemp` uses the mode 0700. Some tests act as another user.
        guard mkdtemp(&name) != nil, chmod(name, 0o755) == 0 else {
            throw ChildFailure("cannot create a folder in /run: \(String(cString: strerror(errno)))")
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
