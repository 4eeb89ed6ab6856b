import Foundation
import Synchronization

/// A browser without script, as far as the server can tell.
package final class Browser: Sendable {
    /// A page with what its forms contain.
    package struct Page: Sendable {
        /// The path and query, after redirects.
        package var address: String
        package var response: WebResponse
        package var html: String { response.body }
        package var status: Int { response.status }
        package var window: String { match(/action="\/_window\/(\d+)"/) }
        package var token: String { match(/name="token" value="([^"]*)"/) }
        package var nonce: String { match(/name="nonce" value="([^"]*)"/) }
        /// The text in the first heading.
        package var title: String { match(/<h1[^>]*>([^<]*)<\/h1>/) }

        package init(address: String, response: WebResponse) { (self.address, self.response) = (address, response) }

        private func match(_ pattern: Regex<(Substring, Substring)>) -> String {
            html.firstMatch(of: pattern).map { String($0.1) } ?? ""
        }
    }

    package let port: UInt16
    private let cookies = Mutex<[String: String]>([:])

    package init(port: UInt16) { self.port = port }

    package var cookie: String { cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") } }

    /// The fields of each request.
    package var fields: [String: String] {
        var fields = ["Host": "127.0.0.1:\(port)"]
        if !cookie.isEmpty { fields["Cookie"] = cookie }
        return fields
    }

    /// Loads a page, and follows redirects and the page that leads to another one.
    package func get(_ target: String, _ more: [String: String] = [:]) async throws -> Page {
        var (target, more) = (target, more)
        for _ in 0..<10 {
            let response = try await send("GET", target, more)
            if response.status == 303, let next = response["Location"] {
                target = next
            } else if let next = response.body.firstMatch(of: /http-equiv="refresh" content="0;url=([^"]*)"/)?.1 {
                target = String(next).replacing("&amp;", with: "&")
                more["Sec-Fetch-Site"] = "same-origin"
            } else {
                return Page(address: target, response: response)
            }
            more["Cache-Control"] = nil
        }
        throw ChildFailure("too many redirects: \(target)")
    }

    /// Sends a request without following redirects.
    package func send(
        _ method: String, _ target: String, _ more: [String: String] = [:], body: String = ""
    ) async throws -> WebResponse {
        let connection = try WebConnection(port: port)
        let response = try await connection.request(method, target, fields.merging(more) { $1 }, body: body)
        if let pair = response["Set-Cookie"]?.split(separator: ";").first?.split(separator: "="), pair.count == 2 {
            cookies.withLock { $0[String(pair[0])] = String(pair[1]) }
        }
        return response
    }

    /// Submits a form of a page without following the redirect.
    package func submit(
        _ page: Page, _ pairs: [(String, String)], _ more: [String: String] = [:], nonce: String? = nil
    ) async throws -> WebResponse {
        let all = [("token", page.token), ("nonce", nonce ?? page.nonce)] + pairs
        let fields = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://127.0.0.1:\(port)"]
        return try await send(
            "POST", "/_window/\(page.window)", fields.merging(more) { $1 },
            body: all.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&"))
    }

    /// Submits a form of a page, and returns the page that follows.
    package func press(_ page: Page, _ pairs: (String, String)...) async throws -> Page {
        let response = try await submit(page, pairs)
        guard response.status == 303, let next = response["Location"] else {
            return Page(address: page.address, response: response)
        }
        return try await get(next, ["Sec-Fetch-Site": "same-origin", "Cache-Control": "max-age=0"])
    }

    /// Loads the same page again.
    package func reload(_ page: Page) async throws -> Page {
        try await get(page.address, ["Sec-Fetch-Site": "same-origin", "Cache-Control": "max-age=0"])
    }

    /// Goes to an address that the browser has shown before, as if by the button to go back.
    package func back(to page: Page) async throws -> Page {
        try await get(page.address, ["Sec-Fetch-Site": "same-origin"])
    }

    /// Opens an address as from a bookmark.
    package func visit(_ address: String) async throws -> Page { try await get(address, ["Sec-Fetch-Site": "none"]) }

    /// Opens the stream of a page.
    package func stream(_ page: Page, from nonce: String? = nil) async throws -> WebConnection {
        let connection = try WebConnection(port: port)
        let fields = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let from = nonce.map { "?from=\($0)" } ?? ""
        try connection.send("GET /_window/\(page.window)/changes\(from) HTTP/1.1\r\n\(fields)\r\n")
        let header = try await connection.header()
        guard header.status == 200 else { throw ChildFailure("no stream: \(header)") }
        return connection
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
