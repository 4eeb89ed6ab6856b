import Glibc

/// The browsers that have logged in, as a part of the page about the host, with buttons to log out.
struct SessionList: Sendable {
    private struct Line {
        var browser: String
        var begun: Int
        var idle: Duration
        var windows: Int
        var isOwn: Bool
    }

    private let lines: [Line]
    private let token: String

    /// Creates a list.
    ///
    /// - Parameter own: The session of the browser that gets the page.
    init(_ sessions: [Session], own: Session) {
        token = own.token
        lines = sessions.sorted { ($0.begun, $0.cookie) < ($1.begun, $1.cookie) }.map { session in
            Line(
                browser: session.browser, begun: session.begun, idle: .now - session.lastUse,
                windows: session.windows.count, isOwn: session === own)
        }
    }

    var html: HTML {
        """
        <h2>Browsers that are logged in</h2>
        <div class="scroll" role="group" tabindex="0" aria-label="Browsers that are logged in">
        <table>
        <thead><tr><th scope="col">Browser</th><th scope="col">Logged in</th><th scope="col">Logged in until</th>\
        <th scope="col">Last used</th><th scope="col" class="end">Windows</th></tr></thead>
        <tbody>
        \(HTML.joined(lines, row))</tbody>
        </table>
        </div>
        <form method="post" action="/_logout"><input type="hidden" name="token" value="\(id: token)"/>
        <button name="where" value="here">Log out here</button>
        <button name="where" value="everywhere">Log out everywhere</button></form>

        """
    }

    private func row(_ line: Line) -> HTML {
        """
        <tr class="row"><th scope="row"><bdi class="title">\(line.browser.isEmpty ? "unknown" : line.browser)</bdi>\
        \(" (this browser)", if: line.isOwn)</th><td>\(Self.text(of: line.begun))</td>\
        <td>\(Self.text(of: line.begun + SavedSession.time))</td>\
        <td>\(Int(line.idle / .seconds(60))) min ago</td><td class="end">\(line.windows)</td></tr>

        """
    }

    /// Returns a time as text, such as `2026-11-27 14:05 UTC`.
    private static func text(of seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%d %H:%M UTC", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
