import ViperKit

/// The page about the host, as HTML: a table of the modules, and their picture. The script reloads it every two seconds.
struct HostPage {
    private let modules: [ListedModule]
    /// The digest of the picture. The browser loads the picture again when it changes.
    private let version: String

    /// The browsers that have logged in. Nil if browsers need not.
    private let sessions: SessionList?

    init(_ modules: [ListedModule], _ picture: String, _ sessions: SessionList? = nil) {
        (self.modules, version, self.sessions) = (modules, picture.utf8.digest, sessions)
    }

    /// The document.
    var text: String { Page.document(title: "The host", head: refresh, body: content).text }

    /// Without a script, the browser reads the page again.
    private var refresh: HTML { "<noscript><meta http-equiv=\"refresh\" content=\"10\"/></noscript>\n" }

    private var content: HTML {
        """
        <header class="bar"><a class="home" href="/">Start</a></header>
        <main id="screen" class="host" data-reload="\(id: Site.hostPath)" tabindex="-1">
        <h1>The host</h1>
        <p>\(summary)</p>
        <div class="scroll" role="group" tabindex="0" aria-label="Modules">
        <table>
        <thead><tr>\(HTML.joined(Self.heads) { "<th scope=\"col\"\(" class=\"end\"", if: $0.isNumber)>\($0.title)</th>" })</tr></thead>
        <tbody>
        \(HTML.joined(modules, row))</tbody>
        </table>
        </div>
        <h2>What needs what</h2>
        <div class="scroll" role="group" tabindex="0" aria-label="Picture of the modules">
        <img src="/_host/graph.svg?\(id: version)" alt="The modules, with arrows to those that they need. The table lists them."/>
        </div>
        \(sessions?.html)</main>

        """
    }

    private static let heads: [(title: String, isNumber: Bool)] = [
        ("Module", false), ("Version", false), ("State", false), ("Calls", true), ("Failed", true), ("Seconds", true),
        ("Scenes", true), ("Problem", false),
    ]

    private var summary: String {
        let refused = modules.count { $0.state == .refused }
        let quarantined = modules.count { $0.error?.code.name == "library-quarantined" }
        let scenes = modules.reduce(0) { $0 + $1.statistics.openScenes }
        return "\(modules.count) module\(modules.count == 1 ? "" : "s"), \(refused) refused, "
            + "\(quarantined) in quarantine, \(scenes) open scene\(scenes == 1 ? "" : "s")"
    }

    private func row(_ module: ListedModule) -> HTML {
        let numbers = module.statistics
        let state = module.state.rawValue + (module.run.map { ", \($0)" } ?? "")
        let milliseconds = Int(numbers.time / .milliseconds(1))
        let rest = "\(milliseconds % 1000)"
        let seconds = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
        return """
            <tr class="row\(" danger", if: module.state == .refused)" data-key="\(id: module.name)">
            <th scope="row"><bdi class="title">\(module.name)</bdi></th><td>\(module.version ?? "")</td><td>\(state)</td>
            <td class="end">\(numbers.calls)</td><td class="end">\(numbers.failures)</td><td class="end">\(seconds)</td>
            <td class="end">\(numbers.openScenes)</td><td><bdi>\(module.error?.summary ?? "")</bdi></td></tr>

            """
    }
}
