import Foundation
import FoundationNetworking

/// What is done about a redirect.
enum Redirect {
    case follow(URLRequest)
    /// Not followed, for this cause.
    case refuse(String)

    /// - Parameter proposed: What URLSession would send: the method is right, the URL is not when the location is relative.
    init(from request: URLRequest?, by response: HTTPURLResponse, to proposed: URLRequest) {
        let location = response.value(forHTTPHeaderField: "Location") ?? ""
        guard let url = URL(string: location, relativeTo: request?.url)?.absoluteURL,
            ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
        else {
            self = .refuse("it redirects to what is no address of http or https")
            return
        }
        // URLSession would send any other method again without its body.
        guard let method = proposed.httpMethod, ["GET", "HEAD"].contains(method) else {
            self = .refuse("it redirects a \(proposed.httpMethod ?? "request"), which cannot be sent twice")
            return
        }
        var next = URLRequest(url: url)
        next.httpMethod = method
        next.timeoutInterval = proposed.timeoutInterval
        let isSameOrigin = request?.url.map { Self.origin(of: $0) } == Self.origin(of: url)
        for (name, value) in proposed.allHTTPHeaderFields ?? [:] {
            // Any header may prove who somebody is, and that is not for another server.
            guard isSameOrigin || name.lowercased().hasPrefix("accept") else { continue }
            next.setValue(value, forHTTPHeaderField: name)
        }
        self = .follow(next)
    }

    private static func origin(of url: URL) -> [String?] {
        [url.scheme?.lowercased(), url.host?.lowercased(), url.port.map(String.init)]
    }
}
