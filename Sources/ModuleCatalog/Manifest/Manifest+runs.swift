import HostSystem

extension KeyedDecodingContainer {
    /// Decodes `true`, `false`, `"configured"` or `"always"`. A missing key is `false`.
    func decodeRuns(forKey key: Key) throws -> Manifest.Runs {
        guard contains(key) else { return .never }
        switch try decode(JSONValue.self, forKey: key) {
        case .boolean(let runs): return runs ? .serving : .never
        case .string(Manifest.Runs.always.rawValue): return .always
        case .string(Manifest.Runs.configured.rawValue): return .configured
        default:
            throw JSONIssue(
                path: codingPath + [key], cause: "expected true, false, \"configured\" or \"always\"",
                fix: "write true to run the module in a serving host, \"configured\" to run it there only if it has "
                    + "settings, or \"always\" to run it in host run too")
        }
    }
}
