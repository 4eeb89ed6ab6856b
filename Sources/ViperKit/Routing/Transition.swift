/// How one scene leads to another.
public struct Transition: RawRepresentable, Hashable, Sendable {
    /// The transition's name.
    public let rawValue: String

    /// A transition with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The new scene lies above; closing it is a step back.
    public static var push: Self { Self(rawValue: "push") }
    /// The new scene stands in front until it is done.
    public static var present: Self { Self(rawValue: "present") }
    /// The new scene takes the place of all others.
    public static var replaceRoot: Self { Self(rawValue: "replace-root") }
}
