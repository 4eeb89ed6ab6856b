public import ViperKit

/// The codes of errors of the system.
extension ViperError.Code {
    /// Somebody who is not trusted could have put something at a path, or could change it.
    public static var pathUntrusted: Self { Self(rawValue: "path-untrusted") }
    /// A folder of the root cannot be listed.
    public static var folderUnreadable: Self { Self(rawValue: "folder-unreadable") }
    /// A program that the host needs cannot be started, or failed.
    public static var programFailed: Self { Self(rawValue: "program-failed") }
    /// The system has no more descriptors, memory or room for the host at the moment. No module is refused for it.
    public static var resourceMissing: Self { Self(rawValue: "resource-missing") }
    /// Something took longer than it may.
    public static var timeLimit: Self { Self(rawValue: "time-limit") }
}
