public import ViperKit

/// The codes of errors of the system.
extension ViperError.Code {
    public static var folderUnreadable: Self { Self(rawValue: "folder-unreadable") }
    /// A program that the host needs failed or cannot be started.
    public static var programFailed: Self { Self(rawValue: "program-failed") }
    /// The system temporarily lacks descriptors, memory or disk space. Modules are not refused for this reason.
    public static var resourceMissing: Self { Self(rawValue: "resource-missing") }
}
