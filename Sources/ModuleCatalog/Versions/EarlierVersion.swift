/// An earlier version of a module.
package struct EarlierVersion: Codable, Sendable, Equatable {
    package var version: String
    /// True if the library of this version is quarantined. Nil if it is not.
    package var isQuarantined: Bool?
    /// True if a host has used an earlier version again because this one had ended it too often. Nil if none has.
    package var hasEndedHosts: Bool?

    /// The reason why `host rollback` does not use this version unless it is named. Nil if there is none.
    package var reason: String? {
        if isQuarantined == true { return "is quarantined" }
        return hasEndedHosts == true ? "has ended its host" : nil
    }

    package init(version: String, isQuarantined: Bool?, hasEndedHosts: Bool?) {
        (self.version, self.isQuarantined, self.hasEndedHosts) = (version, isQuarantined, hasEndedHosts)
    }
}
