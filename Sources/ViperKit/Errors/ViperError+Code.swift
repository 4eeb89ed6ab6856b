extension ViperError {
    /// A machine-readable error code with its kind.
    ///
    /// A module can declare its own codes:
    ///
    /// ```swift
    /// extension ViperError.Code {
    ///     static var loginRefused: Self { Self("login-refused", .usage) }
    /// }
    /// ```
    public struct Code: Sendable {
        /// The code's name in kebab case. It never changes.
        public let name: String
        /// The kind of error.
        public let kind: Kind

        /// Creates a code with the given name and kind.
        public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }
}

extension ViperError.Code: Hashable {
    /// Returns true if the names are equal. The kind of a code from another process may be unknown.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ViperError.Code {
    /// A required parameter or configuration value is missing.
    public static var parameterMissing: Self { Self("parameter-missing", .usage) }
    /// A parameter or configuration value is not allowed, or does not have the declared or requested type.
    public static var parameterInvalid: Self { Self("parameter-invalid", .usage) }

    /// No module provides the service.
    public static var serviceMissing: Self { Self("service-missing", .configuration) }
    /// The module's manifest does not list the service in `requires` or `optional`.
    public static var serviceDenied: Self { Self("service-denied", .configuration) }
    /// Creating the service requires the service itself, directly or through other services.
    public static var serviceCycle: Self { Self("service-cycle", .configuration) }
    /// The service is registered under this name with a different type.
    public static var serviceTypeMismatch: Self { Self("service-type-mismatch", .configuration) }
    /// The service has not been created yet, so it cannot be resolved without waiting.
    public static var serviceNotReady: Self { Self("service-not-ready", .configuration) }
    /// The provider's factory failed to create the service, or the request for it was cancelled.
    public static var serviceFailed: Self { Self("service-failed", .dependency) }

    /// The file does not exist in any folder that the module may read.
    public static var fileMissing: Self { Self("file-missing", .configuration) }
    /// The file is empty or contains only white space.
    public static var fileEmpty: Self { Self("file-empty", .configuration) }
    /// The file name is not a relative path, or refers to a location outside the folders that the module may read.
    public static var fileDenied: Self { Self("file-denied", .configuration) }
    /// The file is not valid JSON for the requested type. ``ViperError/subject`` is `file:line:column`.
    public static var fileMalformed: Self { Self("file-malformed", .configuration) }
    /// The host cannot trust a file, folder, or socket, because another user may have created it or may change it.
    public static var pathUntrusted: Self { Self("path-untrusted", .configuration) }
    /// The file exists but cannot be read. For example, it is not a regular file, or is too large.
    public static var fileUnreadable: Self { Self("file-unreadable", .configuration) }

    /// Too many scenes are open, or scenes keep opening each other.
    public static var navigationTooDeep: Self { Self("navigation-too-deep", .module) }
    /// The host does not know the transition, because a later version of ViperKit added it.
    public static var transitionUnknown: Self { Self("transition-unknown", .module) }
    /// The operation did not finish in time. For example, a service's factory did not return within 8 seconds.
    public static var timeLimit: Self { Self("time-limit", .module) }
    /// The text is not valid JSON for the expected type, or the value cannot be encoded as JSON.
    public static var jsonInvalid: Self { Self("json-invalid", .module) }

    /// The collection already has a record with this ID.
    public static var recordExists: Self { Self("record-exists", .usage) }
    /// The collection has no record with this ID.
    public static var recordMissing: Self { Self("record-missing", .usage) }
    /// A record cannot be encoded or decoded, its ID or collection name is invalid, or a query's filter is nested too
    /// deeply.
    public static var recordInvalid: Self { Self("record-invalid", .usage) }
    /// A record store, credential store, or state folder cannot be read or written.
    public static var storeFailed: Self { Self("store-failed", .output) }

    /// The request is invalid. For example, its URL is not an absolute `http` or `https` URL.
    public static var httpRequestInvalid: Self { Self("http-request-invalid", .usage) }
    /// No complete response arrived.
    ///
    /// Possible causes are a failed or interrupted connection, an exceeded limit, a refused redirect, or cancellation.
    public static var httpFailed: Self { Self("http-failed", .dependency) }
    /// The server responded with a status other than 2xx.
    public static var httpStatusUnexpected: Self { Self("http-status-unexpected", .dependency) }

    /// The library's entry point does not return a module that uses the host's copy of ViperKit.
    public static var entryInvalid: Self { Self("entry-invalid", .configuration) }
}
