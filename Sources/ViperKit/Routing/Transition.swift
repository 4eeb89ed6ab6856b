/// The way in which a new scene relates to the open scenes.
public struct Transition: RawRepresentable, Hashable, Sendable {
    /// The transition's name.
    public let rawValue: String

    /// Creates a transition with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The new scene is placed above the current one. Closing it goes one step back.
    public static var push: Self { Self(rawValue: "push") }
    /// The new scene is placed in front of the current one until its task is finished.
    public static var present: Self { Self(rawValue: "present") }
    /// The new scene replaces all open scenes.
    public static var replaceRoot: Self { Self(rawValue: "replace-root") }
}
