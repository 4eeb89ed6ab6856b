import Foundation
import HostDriver
import Synchronization

/// A scenario in which one client uses all that it can of the module `web`: sessions, streams, slow bodies, unread answers,
/// and connections without a session. A person keeps a window, a stream and a form, and loses nothing.
enum Shares: Scenario {
    static let name = "shares"

    static func run(isShort: Bool) async throws -> String {
        try Streams.needWeb()
        // The server has 400 connections, fewer than the client opens.
        let web = try await WebHost(limits: 800)
        let person = web.browser()
        let first = try await person.press(try await person.get("/board"), ("press", "add"))
        let stream = try await person.stream(first, from: first.nonce)
        let (client, begin) = (GreedyClient(of: web.port, sessions: isShort ? 40 : 1_000), ContinuousClock.now)
        let forms = try await withThrowingTaskGroup(of: Void.self) { group in
            client.attack(in: &group)
            defer { client.stop.call() }
            var (page, forms) = (first, 1)
            while client.isBeginning || forms < 20 || !isShort && .now - begin < .seconds(60) {
                page = try await person.press(page, ("press", "add"))
                forms += 1
                try expect(
                    page.status == 200 && page.window == first.window && page.html.contains(">\(forms) "),
                    "form \(forms) is answered with \(page.response): \(web.host.log)")
                while try await !stream.event().data.contains(">\(forms) ") {}
            }
            client.stop.call()
            try await group.waitForAll()
            return forms
        }
        try expect(!web.host.hasEnded, "the host has ended: \(web.host.log)")
        let memory = try Served.status(web.host.process, "VmRSS") * 1024
        return
            "a client with \(client.report); a person's \(forms) forms were answered, and reached the stream of the "
            + "window; the host had \(memory.shownBytes)"
    }
}

/// A client that takes all that a server gives.
private final class GreedyClient: Sendable {
    private struct State {
        var sessions: [(browser: Browser, page: Browser.Page)] = []
        var counts: [String: Int] = [:]
    }

    let stop = Stop()
    private let port: UInt16
    private let limit: Int
    private let state = Mutex(State())

    /// The number of sessions with a page of ten thousand rows. Each form of the person changes it.
    private static let large = 1

    init(of port: UInt16, sessions limit: Int) { (self.port, self.limit) = (port, limit) }

    /// True until the client has all of its sessions.
    var isBeginning: Bool { state.withLock { $0.sessions.count } < limit }

    var report: String {
        let state = state.withLock { $0 }
        let counts = state.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return (["\(state.sessions.count) sessions"] + counts).joined(separator: ", ")
    }

    func attack(in group: inout ThrowingTaskGroup<Void, any Error>) {
        group.addTask { await self.beginSessions() }
        open("streams", atOnce: 300, in: &group) { browser, page in
            self.head("GET /_window/\(page.window)/changes", of: browser)
        }
        let part = String(repeating: "a", count: 100_000)
        open("slow bodies", atOnce: 100, in: &group) { browser, page in
            self.head("POST /_window/\(page.window)", of: browser, length: 1 << 20) + part
        }
        open("unread answers", atOnce: 100, in: &group, among: Self.large) { browser, page in
            self.head("GET \(page.address)", of: browser)
        }
        open("connections without a session", atOnce: 100, in: &group) { _, _ in
            "GET /_web/web.css HTTP/1.1\r\nHost: x\r\n"
        }
    }

    private func head(_ line: String, of browser: Browser, length: Int? = nil) -> String {
        var fields = browser.fields
        fields["Content-Type"] = length.map { _ in "application/x-www-form-urlencoded" }
        fields["Content-Length"] = length.map(String.init)
        return "\(line) HTTP/1.1\r\n" + fields.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
    }

    /// Begins sessions, each with a window. Every second one sends a form.
    private func beginSessions() async {
        while isBeginning, !stop.isCalled {
            let browser = Browser(port: port)
            let number = state.withLock { $0.sessions.count }
            guard let page = try? await browser.get("/board"), page.status == 200 else {
                count("refused sessions")
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            if number < Self.large || number.isMultiple(of: 2) {
                let name = number < Self.large ? "big" : "small"
                _ = try? await browser.submit(page, [("field.name", name)])
            }
            state.withLock { $0.sessions.append((browser, page)) }
        }
    }

    private func count(_ what: String) { state.withLock { $0.counts[what, default: 0] += 1 } }

    /// Sends requests of the sessions without reading their answers, each over a connection of its own.
    ///
    /// - Parameters:
    ///   - limit: The number of connections that stay open.
    ///   - sessions: The number of sessions that send such requests.
    private func open(
        _ what: String, atOnce limit: Int, in group: inout ThrowingTaskGroup<Void, any Error>,
        among sessions: Int = .max,
        _ request: @escaping @Sendable (Browser, Browser.Page) -> String
    ) {
        group.addTask {
            var open: [WebConnection] = []
            while !self.stop.isCalled {
                try? await Task.sleep(for: .milliseconds(20))
                let all = self.state.withLock { $0.sessions }
                guard let (browser, page) = all.prefix(sessions).randomElement() else { continue }
                let text = request(browser, page)
                open = open.suffix(limit - 1)
                // The server may end this connection, or another one.
                let connection = await onOwnThread {
                    let connection = try? WebConnection(port: self.port)
                    try? connection?.send(text)
                    return connection
                }
                if let connection { open.append(connection) }
                self.count(what)
            }
        }
    }
}
