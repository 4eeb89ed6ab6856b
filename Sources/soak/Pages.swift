import Foundation
import HostDriver

/// A scenario in which the module `web` is replaced again and again under clients: those that keep their connection, those
/// that open a new one for each request, pages with streams, and clients that hide a request behind a malformed header.
enum Pages: Scenario {
    static let name = "pages"
    private static let clients = 24
    private static let readers = 4
    private static let time = Duration.seconds(60)

    private struct Seen {
        var answers = 0
        var streams = 0
        var refused = 0
    }

    static func run(isShort: Bool) async throws -> String {
        guard FileManager.default.fileExists(atPath: Products.folder + "/libWeb.so") else {
            throw NotShown("the module web was not built, because libmicrohttpd's header is missing")
        }
        let web = try await WebHost()
        let stop = Stop()
        let (seen, count) = try await withThrowingTaskGroup(of: Seen.self) { group in
            for number in 0..<clients {
                group.addTask { try await ask(web.port, isKept: number % 2 == 0, until: stop) }
            }
            for _ in 0..<readers { group.addTask { try await read(web, until: stop) } }
            group.addTask { try await hide(web.port, until: stop) }
            // This also stops the clients if a replacement fails.
            defer { stop.call() }
            let end = ContinuousClock.now + time
            var count = 0
            while isShort ? count < 3 : .now < end {
                try await web.reload()
                count += 1
            }
            stop.call()
            let seen = try await group.reduce(into: Seen()) {
                $0.answers += $1.answers
                $0.streams += $1.streams
                $0.refused += $1.refused
            }
            return (seen, count)
        }
        try expect(!web.host.hasEnded, "the host has ended: \(web.host.log)")
        return "\(count) replacements of web under \(clients) clients: \(seen.answers) answers, 0 without an answer; "
            + "\(seen.streams) streams; \(seen.refused) malformed headers refused"
    }

    /// Sends requests, each of which must get an answer.
    private static func ask(_ port: UInt16, isKept: Bool, until stop: Stop) async throws -> Seen {
        var (seen, kept): (Seen, WebConnection?) = (Seen(), nil)
        while !stop.isCalled {
            let connection = if let kept { kept } else { try WebConnection(port: port) }
            let answer = try await connection.request("GET", "/healthz", ["Host": "probe"])
            try expect([200, 503].contains(answer.status), "unexpected answer: \(answer)")
            seen.answers += 1
            kept = isKept && answer["Connection"]?.lowercased() != "close" ? connection : nil
        }
        return seen
    }

    /// Opens a page, and its stream again and again. The state of the page arrives at once, unless the server is replaced.
    private static func read(_ web: WebHost, until stop: Stop) async throws -> Seen {
        let browser = web.browser()
        var seen = Seen()
        var page = try await browser.get("/board")
        while page.window.isEmpty, !stop.isCalled {
            try expect(page.status == 503, "no page: \(page)")
            page = try await browser.get("/board")
        }
        let fields = browser.fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        while !stop.isCalled {
            let connection = try WebConnection(port: web.port)
            try connection.send("GET /_window/\(page.window)/changes HTTP/1.1\r\n\(fields)\r\n")
            let header = try await connection.header()
            seen.answers += 1
            if header.status == 503 { continue }
            try expect(header.status == 200 && header["X-Accel-Buffering"] == "no", "no stream: \(header)")
            guard let event = try? await connection.event() else { continue }
            try expect(event.name == "screen", "\(event)")
            seen.streams += 1
        }
        return seen
    }

    /// Sends malformed headers with a request behind them, which must never be answered.
    private static func hide(_ port: UInt16, until stop: Stop) async throws -> Seen {
        let hidden = "GET /readyz HTTP/1.1\r\nHost: probe\r\n\r\n"
        let lines = [
            "Content-Length : \(hidden.utf8.count)", "Transfer-Encoding : chunked",
            "Content-Length: 0\r\n \(hidden.utf8.count)", "Content-Length: 0\0\(hidden.utf8.count)",
            "Content-Length\t: \(hidden.utf8.count)", "X: a\r\n\tContent-Length: 9", "\0X: y",
        ]
        var seen = Seen()
        while !stop.isCalled {
            let connection = try WebConnection(port: port)
            let line = lines[seen.refused % lines.count]
            try connection.send("GET /healthz HTTP/1.1\r\nHost: probe\r\n\(line)\r\n\r\n\(hidden)")
            let answer = try await connection.end()
            let isRefused =
                answer.hasPrefix("HTTP/1.1 400 ") && !answer.contains("HTTP/1.1 2") && !answer.contains("HTTP/1.1 5")
            try expect(isRefused, "\(line) is answered by \(answer)")
            seen.refused += 1
        }
        return seen
    }
}
