/// A request whose body has been received.
struct Request: Sendable {
    /// A header field that this server reads.
    enum Field: String, CaseIterable {
        case host = "Host"
        case cookie = "Cookie"
        case origin = "Origin"
        case fetchSite = "Sec-Fetch-Site"
        case cacheControl = "Cache-Control"
        case contentType = "Content-Type"
        case ifNoneMatch = "If-None-Match"
        case lastEventID = "Last-Event-ID"
        case userAgent = "User-Agent"
        case live = "X-Viper-Live"
    }

    var method: String
    /// The path and query as the client has sent them.
    var target: String
    /// The fields that are present.
    var fields: [Field: String] = [:]
    var body: [UInt8] = []
    /// The lease of the body's bytes. It ends when nothing needs them.
    var lease: Lease?

    subscript(field: Field) -> String? { fields[field] }

    /// The path, without the query.
    var path: Substring { target.prefix { $0 != "?" } }
    /// True if the method asks for the status and the fields of an answer. It changes nothing.
    var isHead: Bool { method == "HEAD" }
    /// True if the method reads something. The answer to HEAD is that to GET, and libmicrohttpd leaves out its body.
    var isRead: Bool { method == "GET" || isHead }
    /// True if the script of a page has sent the request.
    var isLive: Bool { self[.live] != nil }
    /// True if the browser loads a page again that it shows.
    var isReload: Bool { self[.cacheControl].map { $0.contains("max-age=0") || $0.contains("no-cache") } ?? false }

    /// True if a person has typed an address, has chosen a bookmark, or comes from another site. A browser also tells so
    /// later, when it goes back to the page that has answered such a request. Browsers that tell nothing visit no page.
    var isVisit: Bool {
        guard let site = self[.fetchSite], site != "same-origin" else { return false }
        return !isReload && !isLive
    }

    /// Splits a target in absolute form, as proxies send it. Its authority takes the place of the field `Host`; see RFC 9112,
    /// section 3.2.2.
    mutating func splitTarget() {
        guard target.first != "/", let scheme = ["http://", "https://"].first(where: target.lowercased().hasPrefix)
        else { return }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        (fields[.host], target) = (String(authority), (path.first == "/" ? "" : "/") + path)
    }

    /// Returns the value of a cookie, or nil if there is none.
    func cookie(_ name: String) -> Substring? {
        for pair in (self[.cookie] ?? "").split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" { return pair.dropFirst(name.count + 1) }
        }
        return nil
    }

    /// Returns the first value of a name in the query. Nil if there is none, or if it is invalid.
    func query(_ name: String) -> String? {
        let query = target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return FormBody(query)?[name].first
    }
}
