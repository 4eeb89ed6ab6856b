import Foundation
import HostDriver

/// A scenario in which eight threads open and close streams of one window of the module `web` while the window changes.
enum Streams: Scenario {
    static let name = "streams"
    private static let threads = 8
    /// The number of streams that a thread keeps open.
    private static let open = 8

    static func run(isShort: Bool) async throws -> String {
        try needWeb()
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        let (stop, begin) = (Stop(), ContinuousClock.now)
        let (streams, changes) = try await withThrowingTaskGroup(of: Int.self) { group in
            let (port, fields) = (web.port, browser.fields.map { "\($0.key): \($0.value)\r\n" }.joined())
            let request = "GET /_window/\(page.window)/changes HTTP/1.1\r\n\(fields)\r\n"
            for _ in 0..<threads {
                group.addTask { try await onOwnThread { try openAndClose(request, at: port, until: stop) } }
            }
            defer { stop.call() }
            var (current, changes) = (page, 0)
            while isShort ? changes < 20 : .now - begin < .seconds(60) {
                current = try await browser.press(current, ("press", "many"))
                try expect(current.status == 200, "the form is answered with \(current.status): \(web.host.log)")
                changes += 1
            }
            stop.call()
            return (try await group.reduce(0, +), changes)
        }
        try expect(!web.host.hasEnded, "the host has ended: \(web.host.log)")
        let last = try await browser.stream(page)
        let event = try await last.event()
        try expect(event.name == "screen" && event.data.contains(">\(changes * 100) "), "the last state is \(event)")
        return "\(streams) streams of one window opened and closed by \(threads) threads, \(changes * 100) changes"
    }

    /// Throws ``NotShown`` if the module `web` was not built.
    static func needWeb() throws {
        if FileManager.default.fileExists(atPath: Products.folder + "/libWeb.so") { return }
        throw NotShown("the module web was not built, because libmicrohttpd's header is missing")
    }

    /// Opens streams, and closes the oldest when too many are open.
    ///
    /// - Returns: The number of streams.
    private static func openAndClose(_ request: String, at port: UInt16, until stop: Stop) throws -> Int {
        var (open, count) = ([WebConnection](), 0)
        while !stop.isCalled {
            let stream = try WebConnection(port: port)
            // The server may close the oldest of many connections.
            try? stream.send(request)
            open = open.suffix(Self.open - 1) + [stream]
            count += 1
        }
        return count
    }
}
