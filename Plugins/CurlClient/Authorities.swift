import Glibc

/// Where the certificates of the authorities are that a server's own certificate is checked against.
struct Authorities: Sendable {
    /// A file of certificates in PEM. Nil for that of the system.
    var file: String?
    /// A folder of such files, named by `openssl rehash`. Nil for that of the system.
    var folder: String?

    /// The certificates that the environment names in the variables of OpenSSL.
    static var ofEnvironment: Authorities {
        Authorities(file: variable("SSL_CERT_FILE"), folder: variable("SSL_CERT_DIR"))
    }

    /// Nil for one that is empty.
    private static func variable(_ name: String) -> String? {
        // The text belongs to the environment and is copied.
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
