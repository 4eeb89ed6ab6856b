import FoundationEssentials
import Glibc

/// Returns the reason why a Foundation call failed. If possible, this is the system's error message, because
/// Foundation's description is a dump of the error.
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

/// Returns true if an error number means that a system resource is exhausted. A later attempt may then succeed.
package func isShortage(_ number: Int32) -> Bool {
    [EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EAGAIN].contains(number)
}
