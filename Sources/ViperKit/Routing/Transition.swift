/// The way in which a new scene opens, relative to the scenes that are already open.
public struct Transition: RawRepresentable, Hashable, Sendable {
    /// The transition's name.
    public let rawValue: String

    /// Creates a transition with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A transition that places the new scene above the current scene. Closing the new scene goes back one step.
    public static var push: Self { Self(rawValue: "push") }
    /// A transition that places the new scene in front of the current scene until the user has finished its task.
    public static var present: Self { Self(rawValue: "present") }
    /// A transition that replaces the current scene with the new scene. The scene below gets no result.
    public static var replace: Self { Self(rawValue: "replace") }
    /// A transition that replaces all open scenes with the new scene.
    public static var replaceRoot: Self { Self(rawValue: "replace-root") }
}
