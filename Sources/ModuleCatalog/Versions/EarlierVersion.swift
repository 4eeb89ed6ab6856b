/// An earlier version of a module.
package struct EarlierVersion: Codable, Sendable, Equatable {
    package var version: String
    /// True if the library of this version is quarantined. Nil if it is not.
    package var isQuarantined: Bool?

    package init(version: String, isQuarantined: Bool?) {
        (self.version, self.isQuarantined) = (version, isQuarantined)
    }
}
