import Glibc

/// The certificate authorities for verifying server certificates.
struct Authorities: Sendable {
    /// The path of a file with PEM certificates. Nil to use the system's file.
    var file: String?
    /// The path of a folder with PEM files that `openssl rehash` has prepared. Nil to use the system's folder.
    var folder: String?

    /// The certificate authorities that the environment variables `SSL_CERT_FILE` and `SSL_CERT_DIR` specify.
    static var ofEnvironment: Authorities {
        Authorities(file: variable("SSL_CERT_FILE"), folder: variable("SSL_CERT_DIR"))
    }

    /// Returns the value of an environment variable, or nil if it is unset or empty.
    private static func variable(_ name: String) -> String? {
        // Copy the text, because the environment owns it.
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
