import CPostgreSQL
import ViperKit

/// A connection string of libpq, which may contain a password.
struct ConnectionString: Sendable {
    let text: String
    /// The database and its server, for use in errors, such as `notes on db.example.org`.
    let label: String
    /// The passwords in the string.
    private let secrets: [String]

    /// Creates a connection string from a URL or from pairs of keys and values.
    ///
    /// - Throws: `connection-invalid` if libpq cannot parse the text. The error does not quote the text, because any
    ///   part of it may be the password.
    init(_ text: String) throws(ViperError) {
        let options = text.utf8.contains(0) ? nil : PQconninfoParse(text, nil)
        guard let options else {
            throw ViperError(
                .connectionInvalid, operation: "cannot use setting", subject: "postgresql.connection",
                cause: "libpq cannot parse it",
                fix: "write postgresql://USER@HOST/DATABASE, or pairs such as host=/run/postgresql dbname=notes; "
                    + "quote a value with spaces")
        }
        defer { PQconninfoFree(options) }
        var (values, secrets): ([String: String], [String]) = ([:], [])
        // The array ends with an option without a keyword.
        for option in sequence(first: options, next: { $0 + 1 }) {
            guard let keyword = option.pointee.keyword else { break }
            guard let value = option.pointee.val.map({ String(cString: $0) }), !value.isEmpty else { continue }
            values[String(cString: keyword)] = value
            if String(cString: option.pointee.dispchar) == "*" { secrets.append(value) }
        }
        self.text = text
        self.secrets = secrets
        let host = values["host"] ?? values["hostaddr"] ?? "the default host"
        label = "\(values["dbname"] ?? "the default database") on \(host)"
    }

    /// Returns a message without the passwords of this string.
    func redacted(_ message: String) -> String {
        secrets.reduce(message) { $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "***") }
    }
}

extension ViperError.Code {
    /// The connection string is invalid.
    static var connectionInvalid: Self { Self("connection-invalid", .configuration) }
    /// The connection was lost during a commit, and the server could not be asked in time whether it has committed.
    static var commitUnknown: Self { Self("commit-unknown", .output) }
}
