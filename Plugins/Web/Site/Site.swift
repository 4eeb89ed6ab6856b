import ViperKit

/// The pages of the host's windows: what a browser gets for a request.
struct Site: Sendable {
    let windows: any Windows
    let registry: any ModuleRegistry
    let sessions: Sessions
    let pools: Pools
    let names: HostNames
    let assets: Assets
    let refusals: Refusals
    let clock: any Clock<Duration>
    let logger: any Logger
    /// The name of the cookie.
    let cookie: String
    let isSecure: Bool
    /// The address by which a browser logs in. Nil if browsers need not log in.
    let login: LoginAddress?

    static let windowPath = "/_window/"
    /// The mark in the query of a request after a cookie was set.
    private static let cookieMark = "_c=1"

    /// Answers a request on the server's thread. Work that takes time runs in the reply.
    func answer(_ request: Request) -> Reply {
        if request.isRead, let reply = probe(request.path) { return reply }
        guard names.allow(request[.host]) else {
            return refuse(.host, "Unknown host name", "This server has another name. web.host can add one.", 421)
        }
        let path = request.path
        if request.method == "POST" { return post(request, path) }
        guard request.isRead else { return refuse(methodOf: path) }
        if path == "/metrics" { return metrics(request) }
        if let asset = assets.response(to: request) { return .now(asset) }
        if path.hasPrefix(LoginAddress.path) { return logIn(request) }
        if isLogout(path) { return refuse(methodOf: path) }
        let session = sessions.session(request.cookie(cookie))
        if path.hasPrefix(Self.windowPath) { return part(request, path, of: session) }
        if let reply = hostPage(path, session) {
            if request.isVisit, path == Self.hostPath {
                return .now(Response(html: Page.continuing(to: Self.hostPath)))
            }
            return session == nil ? welcome(request) : reply
        }
        guard let address = PageAddress(target: request.target) else {
            return refuse(.path, "No such page", "No route can have this path.", 404)
        }
        // The page that leads to the address makes this site the cause of the next request. The browser then sends the
        // cookie also if another site has led here, and this server can tell a new visit from going back.
        if request.isVisit { return .now(Response(html: Page.continuing(to: "/" + address.route))) }
        guard let session else { return welcome(request) }
        return page(at: address, request, session)
    }

    /// Returns true if the body of a request is worth keeping: if a browser with a session sends a form of this site.
    func admits(_ header: Request) -> Bool {
        header.method == "POST" && names.allow(header[.host]) && names.isOwn(header)
            && sessions.session(header.cookie(cookie)) != nil
    }

    /// Returns the client of a request. Nil if it belongs to no session.
    func client(of request: Request) -> Client? {
        if request.isRead, Self.isProbe(request.path) { return pools.probes }
        return sessions.session(request.cookie(cookie))?.client
    }

    /// Counts a refusal, and returns its page.
    func refuse(
        _ reason: Refusals.Reason, _ title: String, _ text: String, _ status: UInt32, _ fields: [Response.Field] = []
    ) -> Reply {
        refusals.add(reason)
        return .now(Response(problem: title, text, status: status, fields))
    }

    /// Refuses a request with a method that its path does not allow.
    func refuse(methodOf path: Substring) -> Reply {
        let isWindow = path.hasPrefix(Self.windowPath) && !path.dropFirst(Self.windowPath.count).contains("/")
        let isForm = isWindow || isLogout(path)
        return refuse(
            .form, "This method is not allowed", isForm ? "Forms are sent by POST." : "Pages are read by GET.", 405,
            [("Allow", isForm ? "POST" : "GET, HEAD")])
    }

    /// Refuses a request because the client has its share of a pool, or because the server is full, and returns a page that
    /// tells so.
    ///
    /// - Parameter what: What the pool has, such as `windows are open`.
    func refuseFull(_ pool: Pool, of client: Client, _ what: String) -> Reply {
        if !pool.isUsedUp(by: client) { return refuseFull("Too many \(what) in all browsers") }
        refusals.add(.limit)
        return .now(
            Response(
                problem: "This browser has too much open", "Too many \(what) in this browser. Close some of its tabs.",
                status: 503, [("Retry-After", "1")]))
    }

    /// Refuses a request because the server is full, and returns a page that tells so.
    func refuseFull(_ text: String) -> Reply {
        refusals.add(.limit)
        return .now(
            Response(
                problem: "The server is full", text + ". Please try again.", status: 503, [("Retry-After", "1")]))
    }

    /// Answers a browser without a session.
    private func welcome(_ request: Request) -> Reply {
        if login != nil {
            return refuse(
                .login, "Please log in", "Open the address that the host has written to its log. It works once.", 403)
        }
        if request.query("_c") != nil {
            return refuse(.login, "Cookies are missing", "The pages need a cookie. Allow cookies for this site.", 403)
        }
        let separator = request.target.contains("?") ? "&" : "?"
        let path = request.target + separator + Self.cookieMark
        return request.isHead ? .now(Response(seeOther: path)) : begin(request, to: path)
    }

    private func logIn(_ request: Request) -> Reply {
        guard let login, request.isHead ? login.matches(request.path) : login.use(request.path) else {
            return refuse(
                .login, "This address does not work",
                "An address for logging in works once. The host's log has the next.", 403)
        }
        if request.isHead { return .now(Response(seeOther: "/")) }
        logger.log(.info, "a browser has logged in; the next one logs in at \(names.base)\(login.path)")
        return begin(request, to: "/", isInvited: true)
    }

    /// Begins a session, and leads to a page. The session is stored first, so that the browser stays known if the host is
    /// killed.
    private func begin(_ request: Request, to path: String, isInvited: Bool = false) -> Reply {
        let (session, storing): (Session, SessionStore.Storing)
        switch sessions.begin(for: request[.userAgent], isInvited: isInvited) {
        case .begun(let begun, let change): (session, storing) = (begun, change)
        case .tooEarly: return refuseFull("Too many browsers open this page for the first time")
        case .full: return refuseFull("Too many browsers use this server")
        }
        return answer {
            do throws(ViperError) { try await storing.result() } catch {
                // A session that cannot be stored lasts until the host ends.
                if error.code == .serverFailed { return .stopping }
            }
            return Response(seeOther: path, [setCookie(session)])
        } otherwise: {
            Response(seeOther: path, [setCookie(session)])
        }
    }

    private func setCookie(_ session: Session) -> Response.Field { ("Set-Cookie", setCookie(cookie, session.cookie)) }

    /// Returns the text that sets a cookie until the browser ends.
    func setCookie(_ name: String, _ value: String) -> String {
        "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}
