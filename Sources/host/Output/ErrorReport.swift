import HostSystem
import ModuleRuntime
import ViperKit

/// An error as the program reports it on standard error.
struct ErrorReport {
    let error: ViperError

    /// The error as text, or as one line of JSON if the command line contains `--format json`.
    var text: String {
        if Self.isJSON, let json = try? renderJSONLine(self) { return json }
        return "host: \(printable(error))\n"
    }

    /// True if the last `--format` is `json`. The command line itself may be the cause of the error, so the report does
    /// not need a valid one.
    private static let isJSON: Bool = {
        let words = CommandLine.arguments.prefix { $0 != "--" }
        guard let last = words.lastIndex(where: { $0 == "--format" || $0.hasPrefix("--format=") }) else { return false }
        return words[last] == "--format=json" || words[last] == "--format" && words[last...].dropFirst().first == "json"
    }()
}

extension ErrorReport: Encodable {
    private enum CodingKeys: CodingKey { case exitCode }

    /// Encodes the parts of the error, and the exit code of its kind. `Manifests/error.schema.json` describes the result.
    func encode(to encoder: any Encoder) throws {
        try error.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(ExitCode(error.code.kind).rawValue, forKey: .exitCode)
    }
}
