import ViperKit

// Logging out.
extension Site {
    static let logoutPath: Substring = "/_logout"

    /// Returns true if a path is that of the form for logging out. Without a login, it can be the path of a route.
    func isLogout(_ path: Substring) -> Bool { login != nil && path == Self.logoutPath }

    /// Answers a form that logs out this browser or, with `where=everywhere`, all browsers.
    func logOut(_ request: Request) -> Reply {
        guard let session = sessions.session(request.cookie(cookie)) else {
            return refuse(.login, "The session has ended", "This browser is not logged in.", 403)
        }
        guard let form = FormBody(request.body), let place = form["where"].first,
            ["here", "everywhere"].contains(place)
        else { return refuse(.form, "This is not a form", "Open the page again.", 400) }
        guard Secret.isEqual(form["token"].first ?? "", session.token) else {
            return refuse(.token, "This form is not from this session", "Open the page again.", 403)
        }
        let isEverywhere = place == "everywhere"
        let storing = sessions.end(isEverywhere ? nil : session, because: "You have logged out.")
        return answer { [logger] in
            do throws(ViperError) { try await storing.result() } catch {
                if error.code == .serverFailed { return .stopping }
                return Response(
                    problem: "You are logged out until the host is restarted", error.summary, status: 500, [noCookie])
            }
            logger.log(.info, isEverywhere ? "all browsers have logged out" : "a browser has logged out")
            return Response(
                problem: "You are logged out",
                isEverywhere ? "All browsers have to log in again." : "This browser has to log in again.", status: 200,
                [noCookie])
        } otherwise: {
            Response(
                problem: "You are logged out until the host is restarted",
                "The logout is stored as soon as the file of the sessions can be written.", status: 504, [noCookie])
        }
    }

    /// The field that removes the cookie.
    private var noCookie: Response.Field { ("Set-Cookie", setCookie(cookie, "") + "; Max-Age=0") }
}
