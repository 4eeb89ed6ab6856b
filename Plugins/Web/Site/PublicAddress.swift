/// The address at which browsers reach this server through a proxy, such as `https://office.example.org`.
struct PublicAddress: Sendable, Equatable {
    /// The name in lower case, such as `office.example.org` or `[2001:db8::1]`.
    let name: String
    let port: UInt16

    /// The reason why a text is not such an address, with the fix.
    struct Fault: Error {
        var cause: String
        var fix: String
    }

    private static let scheme = "https://"
    private static let form = "write an address such as https://office.example.org or https://office.example.org:8443"

    /// Parses an address.
    init(_ text: String) throws(Fault) {
        let text = text.lowercased()
        guard text.hasPrefix(Self.scheme) else {
            throw Fault(
                cause: "web.public does not begin with https://",
                fix: text.hasPrefix("http://")
                    ? "let the proxy use TLS, or set web.host instead for a proxy without TLS" : Self.form)
        }
        var rest = text.dropFirst(Self.scheme.count)
        if rest.last == "/" { rest.removeLast() }
        if rest.contains("/") {
            throw Fault(
                cause: "web.public has a path, and the pages work at the root of a host name only",
                fix: "give the pages a host name of their own in the proxy, and leave out the path")
        }
        let name: Substring
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let port = UInt16(rest[colon...].dropFirst()), port > 0 else {
                throw Fault(cause: "the port in web.public is not a number from 1 to 65535", fix: Self.form)
            }
            (name, self.port) = (rest[..<colon], port)
        } else {
            (name, port) = (rest, 443)
        }
        guard !name.isEmpty, name.allSatisfy(HostNames.isNameCharacter) else {
            throw Fault(cause: "web.public has no host name after https://", fix: Self.form)
        }
        self.name = String(name)
    }

    /// The forms that the header field `Host` may have. Browsers leave out the usual port.
    var hosts: Set<String> { port == 443 ? [name, "\(name):443"] : ["\(name):\(port)"] }
    /// The address without a slash at the end.
    var text: String { Self.scheme + (port == 443 ? name : "\(name):\(port)") }
}
