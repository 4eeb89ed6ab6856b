import Glibc

/// The host names by which browsers may reach this server, and its origin.
///
/// A page of another site can lead a browser to this server under a name of that site (DNS rebinding).
struct HostNames: Sendable {
    /// The names that the header field `Host` may have, with their ports.
    let names: Set<String>
    /// The start of the server's addresses, such as `https://office.example.org:8443`.
    let base: String
    /// The origins of this server's pages.
    private let origins: Set<String>

    /// Creates the names of a server.
    ///
    /// - Parameters:
    ///   - address: The address at which the server listens, with its port.
    ///   - name: The name from the settings, which may have a port. Nil if it is unset.
    ///   - proxy: The address of the proxy in front of this server. Nil if it is unset. Browsers know the server by this
    ///     address only. A proxy asks by it, or by the address at which this server listens.
    init(listeningAt address: String, name: String?, proxy: PublicAddress? = nil, isSecure: Bool) {
        let (host, port) = Self.parts(address)
        let usual = isSecure ? "443" : "80"
        var names: Set<String> = []
        func add(_ host: String, _ port: String) {
            names.insert("\(host):\(port)")
            // A name with the usual port of either scheme is that of a proxy, and browsers leave that port out.
            if ["80", "443"].contains(port) { names.insert(host) }
        }
        add(host, port)
        if ListenAddress.isLoopback(host) { for name in ["localhost", "127.0.0.1", "[::1]"] { add(name, port) } }
        var shown = "\(host):\(port)"
        if let name = name?.lowercased() {
            let own = Self.parts(name)
            add(own.host, own.port.isEmpty ? port : own.port)
            shown = own.port.isEmpty && port != usual ? "\(name):\(port)" : name
        }
        if let proxy {
            (self.names, base) = (names.union(proxy.hosts), proxy.text)
            origins = Set(proxy.hosts.map { "https://\($0)" })
        } else {
            (self.names, base) = (names, "\(isSecure ? "https" : "http")://\(shown)")
            // A proxy in front of this server may use TLS although this server does not.
            let schemes = isSecure ? ["https"] : ["http", "https"]
            origins = Set(schemes.flatMap { scheme in names.map { "\(scheme)://\($0)" } })
        }
    }

    /// True if the server's own name is that of this machine, which other servers of the machine have, too.
    var isLoopback: Bool {
        ListenAddress.isLoopback(Self.parts(String(base.drop { $0 != "/" }.dropFirst(2))).host)
    }

    /// Returns true for a character that a host name, an IP address or a port may contain.
    static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || ".-:[]".contains(character))
    }

    /// Returns the host and the port of an address. The port is empty if there is none.
    private static func parts(_ address: String) -> (host: String, port: String) {
        guard let colon = address.lastIndex(of: ":"), !address[colon...].contains("]") else { return (address, "") }
        return (String(address[..<colon]), String(address[address.index(after: colon)...]))
    }

    /// Returns true if the name of a request is one of this server.
    func allow(_ name: String?) -> Bool { name.map { names.contains($0.lowercased()) } ?? false }

    /// Returns true if a form comes from a page of this server, as far as the browser tells.
    func isOwn(_ request: Request) -> Bool {
        if let site = request[.fetchSite], site != "same-origin", site != "none" { return false }
        return request[.origin].map { origins.contains($0.lowercased()) } ?? true
    }
}

/// The parts of the setting `web.listen`.
enum ListenAddress {
    /// Returns the host of an address such as `127.0.0.1:8080` or `[::1]:8080`. Returns nil if the text has another form.
    static func host(of address: String) -> Substring? {
        guard let colon = address.lastIndex(of: ":"), UInt16(address[colon...].dropFirst()) != nil else { return nil }
        let host = address[..<colon]
        let number = host.filter { !"[]".contains($0) }.prefix { $0 != "%" }
        var (short, long) = (in_addr(), in6_addr())
        let isNumber =
            inet_pton(AF_INET, String(number), &short) == 1 || inet_pton(AF_INET6, String(number), &long) == 1
        return isNumber || host == "localhost" ? host : nil
    }

    /// Returns true if only programs of this machine can reach a host.
    static func isLoopback(_ host: some StringProtocol) -> Bool {
        host == "localhost" || host == "[::1]" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Returns true if a host stands for all addresses of this machine, such as `0.0.0.0` or `[::0]`.
    static func isWildcard(_ host: some StringProtocol) -> Bool {
        let host = String(host).filter { !"[]".contains($0) }
        var (short, long) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &short) == 1 { return short.s_addr == 0 }
        guard inet_pton(AF_INET6, host, &long) == 1 else { return false }
        return withUnsafeBytes(of: &long) { $0.allSatisfy { $0 == 0 } }
    }
}
