extension ViperError {
    /// Which error it is. A struct, not an enum, so that codes can be added without breaking a module's `switch`.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The stable text, in kebab case.
        public let rawValue: String

        /// A code with this text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ViperError.Code {
    /// A parameter was asked for that the request does not carry.
    public static var parameterMissing: Self { Self(rawValue: "parameter-missing") }
    /// A parameter has another type than the one that was asked for.
    public static var parameterType: Self { Self(rawValue: "parameter-type") }

    /// The manifest has a route that the module's code does not know. Since ViperKit 1.1.
    public static var routeUnanswered: Self { Self(rawValue: "route-unanswered") }

    /// No provider has this service.
    public static var serviceMissing: Self { Self(rawValue: "service-missing") }
    /// The module's manifest does not require this service.
    public static var serviceDenied: Self { Self(rawValue: "service-denied") }
    /// The service needs itself, over others.
    public static var serviceCycle: Self { Self(rawValue: "service-cycle") }
    /// The service exists under this name with another type.
    public static var serviceType: Self { Self(rawValue: "service-type") }
    /// The service's provider could not make it.
    public static var serviceFailed: Self { Self(rawValue: "service-failed") }
    /// A module registers a service that its manifest does not provide, provides one twice, or leaves one out.
    public static var serviceUndeclared: Self { Self(rawValue: "service-undeclared") }

    /// No folder that the module may read has this file.
    public static var fileMissing: Self { Self(rawValue: "file-missing") }
    /// The file has nothing in it.
    public static var fileEmpty: Self { Self(rawValue: "file-empty") }
    /// The name leads out of the folders that the module may read.
    public static var fileDenied: Self { Self(rawValue: "file-denied") }
    /// The file's content is not what was asked for; ``ViperError/subject`` is `file:line:column`.
    public static var fileMalformed: Self { Self(rawValue: "file-malformed") }
    /// The system could not read the file.
    public static var fileUnreadable: Self { Self(rawValue: "file-unreadable") }

    /// Too many scenes lie on each other, or open each other.
    public static var navigationDepth: Self { Self(rawValue: "navigation-depth") }
    /// A text is no JSON, or has another shape than the receiver expects; or a value cannot be written as JSON.
    public static var jsonInvalid: Self { Self(rawValue: "json-invalid") }

    /// A record with this id is in the collection already.
    public static var recordExists: Self { Self(rawValue: "record-exists") }
    /// No record with this id is in the collection.
    public static var recordMissing: Self { Self(rawValue: "record-missing") }
    /// A record cannot be read or written as its type, or its id or collection has no valid name.
    public static var recordInvalid: Self { Self(rawValue: "record-invalid") }
    /// What keeps records or credentials, or a state folder, cannot be read or written.
    public static var storeFailed: Self { Self(rawValue: "store-failed") }

    /// A request cannot be sent as it is: its URL is none, or has a scheme other than `http` and `https`.
    public static var httpRequest: Self { Self(rawValue: "http-request") }
    /// No whole response came: no connection, cut off, too slow, too large, or cancelled.
    public static var httpFailed: Self { Self(rawValue: "http-failed") }
    /// The server answered with a status other than 2xx.
    public static var httpStatus: Self { Self(rawValue: "http-status") }

    /// The library's entry did not hand over a module of this ViperKit.
    public static var entryInvalid: Self { Self(rawValue: "entry-invalid") }
}
