package import ViperKit

/// Codes for errors that the operating system causes.
extension ViperError.Code {
    package static var folderUnreadable: Self { Self("folder-unreadable", .input) }
    /// A program that the host needs failed or cannot be started.
    package static var programFailed: Self { Self("program-failed", .system) }
    /// The system temporarily lacks descriptors, memory or disk space. The host does not reject a module because of
    /// this error.
    package static var resourceMissing: Self { Self("resource-missing", .system) }
    /// Libraries cannot be loaded from the folder for temporary files.
    package static var folderNotExecutable: Self { Self("folder-not-executable", .configuration) }
    /// A limit was reached. For a client of a serving host, ``ViperError/subject`` is the limit's name in `--limit`.
    package static var limitReached: Self { Self("limit-reached", .unavailable) }
    /// The text is not an IP address and a port.
    package static var addressInvalid: Self { Self("address-invalid", .usage) }
    /// The system cannot open a listening socket, for example because another program listens there.
    package static var listeningFailed: Self { Self("listening-failed", .dependency) }
}
