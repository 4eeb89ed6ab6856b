import Foundation
import HostDriver
import TestSupport
import Testing

/// The completion of command lines, in real shells that load the script of the built host.
@Suite(.fewAtOnce)
struct CompletionTests {
    private static let prompt = "ready> "

    private static func environment(_ root: ScratchRoot) -> [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return root.environment.merging([
            "PATH": "\(Products.folder):\(path)", "VIPER_ROOT": root.path, "TERM": "dumb", "LC_ALL": "C.UTF-8",
            "PS1": prompt,
        ]) { $1 }
    }

    /// Calls the completion function as bash does, and prints each suggestion and each option of `compopt`.
    private static let harness = #"""
        source <(host completion bash)
        compopt() { printf 'compopt %s\n' "$*"; }
        COMP_LINE=$1 COMP_POINT=${#1}
        _host host "$2"
        for word in "${COMPREPLY[@]}"; do printf '%s\n' "$word"; done
        """#

    private func suggestions(_ line: String, _ word: String? = nil, in root: ScratchRoot) async throws -> [String] {
        let last = word ?? line.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        var child = ChildProcess(
            "bash", ["--norc", "--noprofile", "-uc", Self.harness, "bash", line, last],
            environment: Self.environment(root))
        child.workingFolder = root.folder.path
        let result = try await child.run()
        #expect(result.ending == .code(0) && result.errors == "", "\(line): \(result)")
        return result.text.split(separator: "\n").map(String.init)
    }

    private func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.add(.workshop)
        try await root.add(.palette, .palette)
        for module in ["http", "http-client"] { try root.copyManifest(module) }
        return root
    }

    @Test("commands, options and values come from the tables, and names from the root")
    func suggestions() async throws {
        let root = try await root()
        let cases: [(line: String, word: String?, expected: [String])] = [
            ("host rou", nil, ["routes"]),
            ("host help mo", nil, ["modules"]),
            ("host ver", nil, ["version"]),
            ("host run li", nil, ["list", "list/chart", "list/search"]),
            ("host run --format json workshop/g", nil, ["workshop/greet"]),
            ("host run workshop/greet lo", nil, ["loud=true", "loud=false"]),
            ("host run workshop/greet wh", nil, ["who="]),
            ("host run workshop/greet loud=t", "t", ["true"]),
            ("host run workshop/greet x", nil, []),
            ("host modules comp", nil, ["company-list"]),
            ("host routes wor", nil, ["workshop/form", "workshop/greet", "workshop/wide"]),
            ("host test company-list --check mem", nil, ["memory"]),
            ("host test company-list i", nil, ["id="]),
            ("host run --set http.b", nil, ["http.baseURL="]),
            ("host run --use data-provider=h", "h", ["http"]),
            ("host run list --form", nil, ["--format"]),
            ("host run list --format=j", "j", ["json"]),
            ("host run list --fail-on ", nil, ["alert"]),
            ("host serve --limit sc", nil, ["scenes="]),
            ("host quarantine re", nil, ["retry"]),
            ("host completion ", nil, ["bash", "zsh"]),
            ("host build ", nil, ["compopt -o dirnames"]),
            ("host inspect ", nil, ["compopt -o default"]),
            ("host run --root=", "", ["compopt -o dirnames"]),
            ("host test ./x", nil, ["compopt -o default"]),
            ("host serve --as", nil, []),
            ("host serve --own", nil, []),
            ("host nosuch ", nil, []),
            ("host run list --nosuch ", nil, []),
            ("host run -- --form", nil, []),
            ("host \"run\" \"li", "li", ["list", "list/chart", "list/search"]),
            ("host 'r'un li", nil, ["list", "list/chart", "list/search"]),
        ]
        for (line, word, expected) in cases {
            let found = try await suggestions(line, word, in: root).filter { $0 != "compopt -o nospace" }
            if line == "host test ./x" {
                #expect(found == expected, "\(line): \(found)")
            } else {
                #expect(found.sorted() == expected.sorted(), "\(line): \(found)")
            }
        }
        #expect(try await suggestions("host run workshop/greet wh", in: root).first == "compopt -o nospace")
        let all = try await suggestions("host ", in: root)
        #expect(all.contains("run") && all.contains("completion") && !all.contains("supervise"), "\(all)")
        let options = try await suggestions("host serve --", in: root)
        #expect(options.contains("--socket") && options.contains("--help") && !options.contains("--as-is"))
    }

    @Test("the root is that of --root, in quotation marks or below the home folder, too")
    func givenRoot() async throws {
        let root = try await root()
        let other = root.folder.path + "/home/my site"
        for folder in ["Manifests", "Plugins"] {
            try FileManager.default.createDirectory(
                atPath: "\(other)/\(folder)", withIntermediateDirectories: true)
        }
        try ManifestText("there", library: "libNone.so", routes: ["there"]).text
            .write(toFile: "\(other)/Manifests/there.json", atomically: true, encoding: .utf8)
        for place in ["'\(other)'", other.replacing(" ", with: #"\ "#), #"~/my\ site"#, "~/'my site'"] {
            #expect(try await suggestions("host run --root \(place) ", in: root) == ["there"], "\(place)")
            #expect(try await suggestions("host run --root=\(place) th", in: root) == ["there"], "\(place)")
        }
    }

    @Test("without a root, with a broken root and with hostile lines, a script gets no suggestions and no errors")
    func quiet() async throws {
        let root = try ScratchRoot()
        for line in [
            "host run --root /nowhere ", "host run '$(touch pwned)' ",
            "host run $(touch pwned) ", "host run `touch pwned`", "host run \u{1B}[31m", "host run \"$HOME/x",
            "host \u{301}", "host run --set =", "host run --use ==", "host --help=", "host run -",
        ] {
            #expect(try await suggestions(line, in: root).allSatisfy { $0.hasPrefix("-") }, "\(line)")
        }
        let long = String(repeating: "x", count: 100_000)
        #expect(try await suggestions("host run --data \(long) li", in: root) == ["list", "list/chart", "list/search"])
        #expect(!FileManager.default.fileExists(atPath: "\(root.folder.path)/pwned"))
        try root.add(manifest: "{", as: "broken.json")
        #expect(try await suggestions("host run l", in: root) == ["list", "list/chart", "list/search"])
        for name in ["/work", ""] {
            let none = try await ChildProcess(
                Products.host, ["complete-line", "host run ", name], environment: ["VIPER_ROOT": "/nowhere"]
            ).run()
            #expect(none.ending == .code(0) && none.text == "", "\(none)")
        }
    }

    @Test("completing loads no module")
    func loadsNothing() async throws {
        let root = try await root()
        let result = try await root.host("complete-line", environment: ["LD_DEBUG": "files"]) { child in
            child.arguments = ["complete-line", "host run --root \(root.path) palette "]
        }
        #expect(result.text.contains("shades=\nThe shades\n"), "\(result)")
        #expect(!result.errors.contains("libPalette"))
    }

    /// Names of modules that a shell would execute, break or hide. A refused module has the name of its file.
    private static let hostile = [
        "evil$(touch pwned)", "evil`touch pwned`", "evil;touch pwned", "evil'\"\\ &|<>*?[a]{b,c}!#~", "evil %n%{",
    ]

    @Test("a hostile name is one word of text in bash, and a name with a line break is left out")
    func hostileNames() async throws {
        let root = try ScratchRoot()
        for name in Self.hostile + ["evil\nline", "evil\tlist", "evil\u{1B}[31m"] {
            try root.folder.write("{", to: "root/Manifests/\(name).json")
        }
        let found = try await suggestions("host modules evil", in: root)
        let script = "for word in \(found.joined(separator: " ")); do printf '%s\\n' \"$word\"; done"
        var child = ChildProcess("bash", ["--norc", "-c", script])
        child.workingFolder = root.folder.path
        let words = try await child.run().text.split(separator: "\n").map(String.init)
        #expect(words.sorted() == Self.hostile.sorted(), "\(found)")
        // In quotation marks, only what is text there is suggested.
        let text = try await suggestions("host modules \"evil", "evil", in: root)
        #expect(text == ["evil %n%{", "evil;touch pwned"])
        #expect(!FileManager.default.fileExists(atPath: "\(root.folder.path)/pwned"))
    }

    private func session(_ shell: String, _ options: [String], in root: ScratchRoot) throws -> TerminalSession {
        var child = ChildProcess(shell, options, environment: Self.environment(root))
        child.workingFolder = root.folder.path
        return try TerminalSession(child)
    }

    /// Completes a route, a parameter, and the name of a hostile module in a shell at a terminal. Waits for each text,
    /// because a shell takes a tab as text if more input is waiting.
    private func complete(in session: TerminalSession, _ root: ScratchRoot) async throws {
        let steps: [(typed: String, shown: String)] = [
            ("host run list/ch\t", "host run list/chart "), ("--press nothing\n", "cannot press action \"nothing\""),
            ("host routes per\t", "host routes person "), ("\n", "host run person id=sample"),
            ("host run per\t", "host run person "), ("i\t", "id="), ("58f9a19680685a4e1e6d5016\n", "Bertha Irwin"),
            ("host modules ev\t", #"host modules evil\$\(touch\ pwned\)"#),
            ("\n", "Manifests/evil$(touch pwned).json"),
        ]
        for (typed, shown) in steps {
            if typed.hasPrefix("host") { try await session.wait(for: Self.prompt) }
            try session.type(typed)
            try await session.wait(for: shown)
        }
        try await session.wait(for: Self.prompt)
        try session.type("exit\n")
        _ = try await session.end()
        #expect(!FileManager.default.fileExists(atPath: "\(root.folder.path)/pwned"))
    }

    @Test("bash completes at a terminal")
    func bash() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        try root.folder.write("{", to: "root/Manifests/evil$(touch pwned).json")
        let session = try session("bash", ["--norc", "--noprofile", "-i"], in: root)
        try await session.wait(for: Self.prompt)
        try session.type("source <(host completion bash)\n")
        try await complete(in: session, root)
    }

    @Test("zsh completes at a terminal", .needs(.zsh))
    func zsh() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("details")
        try root.folder.write("{", to: "root/Manifests/evil$(touch pwned).json")
        let session = try session("zsh", ["-f", "-i"], in: root)
        try await session.wait(for: Self.prompt)
        try session.type("autoload -Uz compinit; compinit -D -u; source <(host completion zsh)\n")
        try await complete(in: session, root)
    }

    @Test("an unknown shell is a usage error")
    func shell() async throws {
        let result = try await ScratchRoot().host("completion", "fish") { $0.arguments.removeLast(2) }
        #expect(result.ending == .code(64))
        #expect(result.errors == "host: cannot parse \"fish\": unknown shell\n  fix: write bash or zsh\n")
    }
}
