import ViperKit

/// The settings of the module.
struct WebSettings: Sendable {
    private struct Values: Decodable {
        var listen: String?
        var host: String?
        var certificate: String?
        var key: String?
        var windows: Int
        var `public`: String?
        var login: Bool?
    }

    /// The address to listen at.
    let listen: String
    /// The host name in addresses. Nil for the address to listen at.
    let host: String?
    /// The paths of the certificate and its key. Nil for plain HTTP.
    let files: (certificate: String, key: String)?
    /// The maximum number of windows of a session.
    let windows: Int
    /// The address of the proxy in front of this server. Nil if there is none.
    let proxy: PublicAddress?
    /// True if browsers have to log in. If it is not set, they have to if those of other machines can connect.
    let hasLogin: Bool

    /// Reads and checks the settings. Returns nil if there is no address to listen at.
    ///
    /// - Throws: `setting-invalid` if they do not fit together.
    init?(_ configuration: Configuration) throws(ViperError) {
        let values = try configuration.decode(Values.self)
        guard let listen = values.listen else { return nil }
        (self.listen, host, windows) = (listen, values.host, values.windows)
        switch (values.certificate, values.key) {
        case (let certificate?, let key?): files = (certificate, key)
        case (nil, nil): files = nil
        default:
            throw Self.failure(listen, "web.certificate and web.key belong together", fix: "set both, or none of them")
        }
        guard let address = ListenAddress.host(of: listen) else {
            throw Self.failure(
                listen, "it is not an IP address and a port", fix: "write an address such as 127.0.0.1:8080")
        }
        let isRemote = !ListenAddress.isLoopback(address)
        if let text = values.public {
            do throws(PublicAddress.Fault) { proxy = try PublicAddress(text) } catch {
                throw Self.failure(text, error.cause, fix: error.fix)
            }
            if host != nil {
                throw Self.failure(
                    text, "web.host and web.public both name this server", fix: "set web.public only")
            }
        } else {
            proxy = nil
        }
        hasLogin = values.login ?? (isRemote || proxy != nil)
        if isRemote, files == nil {
            throw Self.failure(
                listen, "other machines can reach this address, and there is no certificate",
                fix: "listen at 127.0.0.1, or set web.certificate and web.key")
        }
        if ListenAddress.isWildcard(address), host == nil, proxy == nil {
            throw Self.failure(
                listen, "web.host is missing, and this address has no name of its own", fix: "set web.host")
        }
        if let host, !host.allSatisfy(HostNames.isNameCharacter) {
            throw Self.failure(host, "web.host is not a host name", fix: "write a name such as example.org")
        }
    }

    private static func failure(_ subject: String, _ cause: String, fix: String) -> ViperError {
        ViperError(.webSettingInvalid, operation: "cannot serve pages at", subject: subject, cause: cause, fix: fix)
    }
}

extension ViperError.Code {
    /// The settings of the module do not fit together.
    static var webSettingInvalid: Self { Self("setting-invalid", .configuration) }
    /// The server cannot start.
    static var serverFailed: Self { Self("server-failed", .dependency) }
}
