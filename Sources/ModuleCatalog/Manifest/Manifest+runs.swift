import HostSystem

extension KeyedDecodingContainer {
    /// Decodes `true`, `false` or `"always"`. A missing key is `false`.
    func decodeRuns(forKey key: Key) throws -> Manifest.Runs {
        guard contains(key) else { return .never }
        switch try decode(JSONValue.self, forKey: key) {
        case .boolean(let runs): return runs ? .serving : .never
        case .string(Manifest.Runs.always.rawValue): return .always
        default:
            throw JSONIssue(
                path: codingPath + [key], cause: "expected true, false or \"always\"",
                fix: "write true to run the module in a serving host, or \"always\" to run it in host run too")
        }
    }
}
