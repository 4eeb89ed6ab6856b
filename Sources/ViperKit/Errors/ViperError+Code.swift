extension ViperError {
    /// A machine-readable error code.
    ///
    /// This type is a struct so that a new code does not break a `switch` in a module.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The code's name in kebab case. It never changes.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ViperError.Code {
    /// A required parameter or configuration value is missing.
    public static var parameterMissing: Self { Self(rawValue: "parameter-missing") }
    /// A parameter or configuration value is not allowed, or does not have the declared or requested type.
    public static var parameterInvalid: Self { Self(rawValue: "parameter-invalid") }

    /// The module's code does not handle a route that its manifest declares.
    public static var routeUnanswered: Self { Self(rawValue: "route-unanswered") }

    /// No module provides the service.
    public static var serviceMissing: Self { Self(rawValue: "service-missing") }
    /// The module's manifest does not list the service in `requires` or `optional`.
    public static var serviceDenied: Self { Self(rawValue: "service-denied") }
    /// Creating the service requires the service itself, directly or through other services.
    public static var serviceCycle: Self { Self(rawValue: "service-cycle") }
    /// The service is registered under this name with a different type.
    public static var serviceTypeMismatch: Self { Self(rawValue: "service-type-mismatch") }
    /// The service has not been created yet, so it cannot be resolved without waiting.
    public static var serviceNotReady: Self { Self(rawValue: "service-not-ready") }
    /// The provider's factory failed to create the service, or the request for it was cancelled.
    public static var serviceFailed: Self { Self(rawValue: "service-failed") }
    /// The registered services differ from the manifest's `provides`: for example, a service is undeclared, missing, or
    /// registered twice.
    public static var serviceUndeclared: Self { Self(rawValue: "service-undeclared") }
    /// The service is registered with a scope that this host does not know.
    public static var scopeUnknown: Self { Self(rawValue: "scope-unknown") }

    /// The file does not exist in any folder that the module may read.
    public static var fileMissing: Self { Self(rawValue: "file-missing") }
    /// The file is empty or contains only white space.
    public static var fileEmpty: Self { Self(rawValue: "file-empty") }
    /// The file name is not a relative path, or refers to a location outside the folders that the module may read.
    public static var fileDenied: Self { Self(rawValue: "file-denied") }
    /// The file is not valid JSON for the requested type. ``ViperError/subject`` is `file:line:column`.
    public static var fileMalformed: Self { Self(rawValue: "file-malformed") }
    /// The host cannot trust a file, folder, or socket, because another user may have created it or may change it.
    public static var pathUntrusted: Self { Self(rawValue: "path-untrusted") }
    /// The file exists but cannot be read. For example, it is not a regular file, or is too large.
    public static var fileUnreadable: Self { Self(rawValue: "file-unreadable") }

    /// Too many scenes are open, or scenes keep opening each other.
    public static var navigationTooDeep: Self { Self(rawValue: "navigation-too-deep") }
    /// The host does not know the transition, because a later version of ViperKit added it.
    public static var transitionUnknown: Self { Self(rawValue: "transition-unknown") }
    /// The operation did not finish in time. For example, a service's factory did not return within 8 seconds.
    public static var timeLimit: Self { Self(rawValue: "time-limit") }
    /// The text is not valid JSON for the expected type, or the value cannot be encoded as JSON.
    public static var jsonInvalid: Self { Self(rawValue: "json-invalid") }

    /// The collection already has a record with this ID.
    public static var recordExists: Self { Self(rawValue: "record-exists") }
    /// The collection has no record with this ID.
    public static var recordMissing: Self { Self(rawValue: "record-missing") }
    /// A record cannot be encoded or decoded, or its ID or collection name is invalid.
    public static var recordInvalid: Self { Self(rawValue: "record-invalid") }
    /// A record store, credential store, or state folder cannot be read or written.
    public static var storeFailed: Self { Self(rawValue: "store-failed") }

    /// The request is invalid. For example, its URL is not an absolute `http` or `https` URL.
    public static var httpRequestInvalid: Self { Self(rawValue: "http-request-invalid") }
    /// No complete response arrived.
    ///
    /// Possible causes are a failed or interrupted connection, an exceeded limit, a refused redirect, or cancellation.
    public static var httpFailed: Self { Self(rawValue: "http-failed") }
    /// The server responded with a status other than 2xx.
    public static var httpStatusUnexpected: Self { Self(rawValue: "http-status-unexpected") }

    /// The library's entry point does not return a module that uses the host's copy of ViperKit.
    public static var entryInvalid: Self { Self(rawValue: "entry-invalid") }
}
