import FoundationEssentials
import Glibc

/// Returns the reason why a call of Foundation failed, as the system's message if there is one. Foundation's own
/// description is a dump of the error.
package func systemReason(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    if let posix = error.userInfo["NSUnderlyingError"] as? POSIXError {
        return String(cString: strerror(posix.code.rawValue))
    }
    return switch error.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: String(cString: strerror(ENOENT))
    case .fileReadNoPermission, .fileWriteNoPermission: String(cString: strerror(EACCES))
    case .fileWriteFileExists: String(cString: strerror(EEXIST))
    case .fileWriteOutOfSpace: String(cString: strerror(ENOSPC))
    case .fileWriteVolumeReadOnly: String(cString: strerror(EROFS))
    default: "the operation failed (CocoaError \(error.code.rawValue))"
    }
}

package func systemReason(_ number: Int32) -> String {
    String(cString: strerror(number))
}

/// Returns true if a system call failed because a resource was exhausted, so that a later attempt may succeed.
package func isShortage(_ number: Int32) -> Bool {
    [EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EAGAIN].contains(number)
}
