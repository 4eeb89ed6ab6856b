import HostSystem

extension KeyedDecodingContainer {
    /// Decodes contributions as JSON texts, keyed by point. Returns an empty dictionary if the key is missing.
    func decodeContributions(forKey key: Key) throws -> [String: [String]] {
        guard contains(key) else { return [:] }
        let points = try nestedContainer(keyedBy: AnyKey.self, forKey: key)
        let limit = ManifestLimits.points
        if points.allKeys.count > limit.count {
            throw JSONIssue(
                path: codingPath + [key],
                cause: "it has \(points.allKeys.count) \(limit.elements), more than the limit of \(limit.count)",
                fix: limit.fix)
        }
        var contributions: [String: [String]] = [:]
        for point in points.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard Grammar.name.allows(point.stringValue) else {
                throw JSONIssue(
                    path: points.codingPath + [point], isAboutKey: true,
                    cause: "\"\(point.stringValue)\" is not a valid name", fix: "write \(Grammar.name.fix)")
            }
            let values = try points.decodeList(of: JSONValue.self, ManifestLimits.contributions, forKey: point)
            contributions[point.stringValue] = try values.map { String(decoding: try encodedJSON($0), as: UTF8.self) }
        }
        return contributions
    }
}
