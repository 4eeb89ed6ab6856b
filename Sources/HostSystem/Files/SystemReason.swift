import FoundationEssentials
import Glibc

/// Why a call of Foundation failed, in the system's words where it has some: what Foundation says itself is a dump of its error.
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
    default: "the system refused it (CocoaError \(error.code.rawValue))"
    }
}

/// Why a system call failed, in the system's words.
package func systemReason(_ number: Int32) -> String {
    // strerror answers for every number, also for an unknown one.
    String(cString: strerror(number))
}

/// Whether a system call failed because there is nothing left of what it needs, and may succeed another time.
package func isShortage(_ number: Int32) -> Bool {
    [EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EAGAIN].contains(number)
}
