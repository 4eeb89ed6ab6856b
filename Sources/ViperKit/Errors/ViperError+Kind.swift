extension ViperError {
    /// The part of the system in which an error must be fixed.
    ///
    /// The kind determines the exit code of the host's commands, and whether the host refuses a module because of an
    /// error. An error in JSON contains its kind, so both also work for codes that this process does not know.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind's name in an error's JSON form.
        public let rawValue: String

        /// Creates a kind with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The command, call, parameter, or event is invalid.
        public static var usage: Self { Self(rawValue: "usage") }
        /// A file or folder that the caller named is missing or unreadable.
        public static var input: Self { Self(rawValue: "input") }
        /// A file or socket cannot be created.
        public static var creation: Self { Self(rawValue: "creation") }
        /// Output or stored data cannot be read or written.
        public static var output: Self { Self(rawValue: "output") }
        /// The module's code failed.
        public static var module: Self { Self(rawValue: "module") }
        /// The module does not match its manifest, its files, the host, or the settings.
        public static var configuration: Self { Self(rawValue: "configuration") }
        /// A provider, server, or other host failed. The operation may succeed later.
        public static var dependency: Self { Self(rawValue: "dependency") }
        /// Nothing has this name, or the route, host, or connection is not available.
        public static var unavailable: Self { Self(rawValue: "unavailable") }
        /// A file is incomplete, or something changed during the operation. A retry may succeed.
        public static var temporary: Self { Self(rawValue: "temporary") }
        /// The operating system lacks resources or a program.
        public static var system: Self { Self(rawValue: "system") }
    }
}
