import Foundation
import HostDriver
import TestSupport
import Testing

/// The page about the host.
@Suite(.fewAtOnce, .hangLimit)
struct HostPageTests {
    @Test("The page lists the modules with their use, and follows the registry")
    func page() async throws {
        let root = try await WebHost.root()
        let web = try await WebHost(in: root)
        let browser = web.browser()
        _ = try await browser.get("/board")
        let first = try await browser.send("GET", "/_host")
        #expect(first.status == 200 && first.body.contains("<h1>The host</h1>"), "\(first)")
        let row =
            /data-key="board">\s*<th scope="row"><bdi class="title">board<\/bdi><\/th><td>1.0.0<\/td><td>active<\/td>\s*<td class="end">2<\/td>/
        #expect(first.body.contains(row), "\(first.body)")
        #expect(first.body.contains("0 refused, 0 in quarantine, 1 open scene"), "\(first.body)")
        // A module that cannot be used is added while the page is open.
        try root.add(manifest: "{ <script>", as: "broken.json")
        let isShown = try await eventually { try await browser.send("GET", "/_host").body.contains("1 refused") }
        #expect(isShown)
        let second = try await browser.send("GET", "/_host").body
        #expect(second.contains("<tr class=\"row danger\" data-key=\"broken\">"), "\(second)")
        #expect(!second.contains("<script>") && Self.picture(in: first.body) != Self.picture(in: second))
        let picture = try await browser.send("GET", Self.picture(in: second))
        #expect(picture.status == 200 && picture["Content-Type"] == "image/svg+xml", "\(picture)")
        #expect(
            picture.body.hasPrefix("<svg ") && picture.body.contains(">board 1.0.0<")
                && picture.body.contains("refused"))
    }

    private static func picture(in page: String) -> String {
        page.firstMatch(of: /src="(\/_host\/graph.svg\?[0-9a-f]+)"/).map { String($0.1) } ?? "none"
    }

    @Test("A browser without a session gets one first, and a visit from elsewhere leads on")
    func session() async throws {
        let web = try await WebHost()
        let host = ["Host": "127.0.0.1:\(web.port)"]
        let begin = try await web.connection().request("GET", "/_host", host)
        #expect(begin.status == 303 && begin["Location"] == "/_host?_c=1", "\(begin)")
        let visit = try await web.browser().send("GET", "/_host", ["Sec-Fetch-Site": "cross-site"])
        #expect(visit.body.contains("content=\"0;url=/_host\""), "\(visit)")
        #expect(try await web.browser().send("GET", "/_hosts").status == 404)
    }
}
