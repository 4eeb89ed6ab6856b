/// The version of an interface that modules are built against: ViperKit or a contract.
package struct InterfaceVersion: Sendable, Equatable, CustomStringConvertible {
    /// The major version. A module can only use an interface with the same major version.
    package var major: Int
    /// The minor version. A module can also use an interface with a later minor version.
    package var minor: Int

    /// Creates a version by parsing a string. Returns nil if the string is not `MAJOR.MINOR`.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(isVersionNumber), let major = Int(parts[0]), let minor = Int(parts[1])
        else { return nil }
        (self.major, self.minor) = (major, minor)
    }

    /// Creates a version from the first two numbers of a semantic version. Returns nil if the numbers are too large.
    init?(beginning version: String) { self.init(version.split(separator: ".").prefix(2).joined(separator: ".")) }

    init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }

    /// Returns true if a module that was built for the given version can use this version.
    package func satisfies(_ needed: InterfaceVersion) -> Bool { major == needed.major && minor >= needed.minor }

    package var description: String { "\(major).\(minor)" }
}
