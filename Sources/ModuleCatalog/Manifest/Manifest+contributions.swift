package import HostSystem

extension Manifest {
    /// Returns ``contributes`` with decoded values.
    package func decodedContributions() throws -> [String: [JSONValue]] {
        let coder = FoundationJSONCoder()
        return try contributes.mapValues { texts in
            try texts.map { try coder.decode(JSONValue.self, from: Array($0.utf8), named: "a contribution") }
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes contributions as JSON texts, keyed by point. Returns an empty dictionary if the key is missing.
    func decodeContributions(forKey key: Key) throws -> [String: [String]] {
        try decodeNamed(ManifestLimits.points, forKey: key) { points, point in
            try points.decodeList(of: JSONValue.self, ManifestLimits.contributions, forKey: point)
                .map { String(decoding: try encodedJSON($0), as: UTF8.self) }
        }
    }

    /// Decodes an object whose keys are names. Returns an empty dictionary if the key is missing.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of names.
    ///   - decode: A closure that decodes the value of a name.
    func decodeNamed<Value>(
        _ limit: ManifestLimits.List, forKey key: Key,
        _ decode: (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> Value
    ) throws -> [String: Value] {
        guard contains(key) else { return [:] }
        let object = try nestedContainer(keyedBy: AnyKey.self, forKey: key)
        if object.allKeys.count > limit.count {
            throw JSONIssue(
                path: codingPath + [key],
                cause: "it has \(object.allKeys.count) \(limit.elements), more than the limit of \(limit.count)",
                fix: limit.fix)
        }
        var values: [String: Value] = [:]
        for name in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard Grammar.name.allows(name.stringValue) else {
                throw JSONIssue(
                    path: object.codingPath + [name], isAboutKey: true,
                    cause: "\"\(name.stringValue)\" is not a valid name", fix: "write \(Grammar.name.fix)")
            }
            values[name.stringValue] = try decode(object, name)
        }
        return values
    }
}
