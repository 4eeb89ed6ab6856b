import Glibc

/// The certificate authorities for checking servers' certificates.
struct Authorities: Sendable {
    /// A file with PEM certificates, or nil for the system's file.
    var file: String?
    /// A folder of such files, named by `openssl rehash`, or nil for the system's folder.
    var folder: String?

    /// The authorities that OpenSSL's environment variables specify.
    static var ofEnvironment: Authorities {
        Authorities(file: variable("SSL_CERT_FILE"), folder: variable("SSL_CERT_DIR"))
    }

    /// Returns an environment variable, or nil if it is unset or empty.
    private static func variable(_ name: String) -> String? {
        // The environment owns the text, so it is copied.
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
