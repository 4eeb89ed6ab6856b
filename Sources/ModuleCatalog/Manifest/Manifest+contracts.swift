import HostSystem

extension Manifest {
    /// The name of the Swift module in the library. For `libGreeterAPI.so`, the name is `GreeterAPI`.
    package var swiftModule: String {
        String(library.dropLast(".so".count).trimmingPrefix("lib"))
    }

    /// The version of a contract's interface, which consists of the first two numbers of its version. Nil if the
    /// numbers are too large.
    package var interfaceVersion: InterfaceVersion? {
        InterfaceVersion(beginning: version)
    }

    /// Returns true if this contract has a version that a module can use.
    ///
    /// - Parameter needed: The version for which the module was built.
    package func satisfies(_ needed: InterfaceVersion) -> Bool { interfaceVersion?.satisfies(needed) ?? false }
}

extension KeyedDecodingContainer<Manifest.CodingKeys> {
    /// Decodes the versions of contracts, keyed by name. Returns an empty dictionary if the key is missing.
    func decodeContracts(forKey key: Key) throws -> [String: InterfaceVersion] {
        try decodeNamed(ManifestLimits.contracts, forKey: key) { contracts, name in
            let text = try contracts.decode(String.self, forKey: name)
            guard Grammar.sdk.allows(text), let version = InterfaceVersion(text) else {
                throw JSONIssue(
                    path: contracts.codingPath + [name], cause: "this is not a valid version of a contract",
                    fix: "write the version as MAJOR.MINOR, such as 1.0")
            }
            return version
        }
    }

    /// Checks that the manifest of a contract has only the keys that apply to contracts.
    func checkKeysOfContract(version: String) throws {
        let allowed: [Key] = [
            .schema, .kind, .name, .version, .library, .sdk, .author, .license, .homepage,
        ]
        let others = allKeys.filter { !allowed.contains($0) }
        if let key = others.min(by: { $0.stringValue < $1.stringValue }) {
            throw JSONIssue(
                path: codingPath + [key], isAboutKey: true, cause: "a contract has no \"\(key.stringValue)\"",
                fix: "remove it, or move it to the manifest of a module")
        }
        if InterfaceVersion(beginning: version) == nil {
            throw JSONIssue(
                path: codingPath + [Key.version], cause: "its numbers are too large for the version of a contract",
                fix: "write smaller numbers")
        }
    }
}
