extension Screen {
    /// The meaning of a text, which a renderer may show by a colour. It only refines the text: a screen must be understood
    /// without it.
    ///
    /// This type is a struct so that tones can be added. A renderer shows a tone that it does not know as ordinary text.
    public struct Tone: RawRepresentable, Hashable, Sendable, Codable {
        /// The tone's name in a screen's JSON form.
        public let rawValue: String

        /// Creates a tone with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Something went well, or is finished.
        public static var success: Self { Self(rawValue: "success") }
        /// Something needs attention.
        public static var warning: Self { Self(rawValue: "warning") }
        /// Something failed, or is lost.
        public static var danger: Self { Self(rawValue: "danger") }
        /// Something is less important than the rest.
        public static var muted: Self { Self(rawValue: "muted") }
    }
}
