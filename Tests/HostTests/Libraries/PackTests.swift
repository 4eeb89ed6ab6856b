import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct PackTests {
    private let root: ScratchRoot
    private let manifest = ManifestText("minimal", library: "libMinimal.so", routes: ["minimal"])

    init() async throws {
        root = try ScratchRoot()
        try await root.copy(ModuleFixture.minimal.compiled(), to: "libMinimal.so")
        try root.folder.write(manifest.text, to: "minimal.json")
    }

    private var library: String { "\(root.path)/Plugins/libMinimal.so" }

    private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> ChildResult {
        try await ChildProcess(Products.host, arguments, environment: environment).run()
    }

    private func pack(_ text: String? = nil, environment: [String: String] = [:]) async throws -> ChildResult {
        if let text { try root.folder.write(text, to: "minimal.json") }
        return try await run("pack", library, "\(root.folder.path)/minimal.json", environment: environment)
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: library)) }

    @Test("A library with a packed manifest is a complete module")
    func dropped() async throws {
        let stray = try await root.host("modules")
        #expect(stray.text.contains("cannot use library \"libMinimal.so\": no manifest refers to it"))
        let packed = try await pack()
        #expect(packed.text == "Packed the manifest of minimal 1.0.0 into \(library)\n", "\(packed)")
        let modules = try await root.host("modules")
        #expect(modules.text.contains("minimal       1.0.0    resolved  libMinimal.so      Plugins/libMinimal.so\n"))
        #expect(!modules.text.contains("no manifest refers to it") && modules.errors == "")
        #expect(try await root.host("run", "minimal").text == "Minimal\n")
        #expect(try await pack(manifest.text.replacing("1.0.0", with: "1.0.1")).ending == .code(0))
        #expect(try await root.host("modules").text.contains("minimal       1.0.1 "))
        #expect(try await root.host("run", "minimal").text == "Minimal\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins").count == 2)
    }

    @Test("A manifest in Manifests takes precedence, and a warning lists the differences")
    func precedence() async throws {
        _ = try await pack()
        try root.add(manifest: manifest.text, as: "minimal.json")
        #expect(try await root.host("modules").errors == "")
        try root.add(
            manifest: manifest.text.replacing("1.0.0", with: "2.0.0").replacing(
                "\"minimal\", \"summary\"", with: "\"small\", \"summary\""),
            as: "minimal.json")
        let warning = """
            host: warning: the manifest of minimal differs from the one in libMinimal.so in: routes, version; the file is used

            """
        let modules = try await root.host("modules")
        #expect(modules.text.contains("minimal       2.0.0    resolved  libMinimal.so      Manifests/minimal.json\n"))
        #expect(modules.errors == warning)
        let result = try await root.host("run", "small")
        #expect(result.text == "Minimal\n" && result.errors == warning)
        // Even if it names another library, because the name identifies the module.
        try root.add(manifest: manifest.text.replacing("libMinimal", with: "libOther"), as: "minimal.json")
        #expect(
            try await root.host("modules").text.contains(
                "cannot use library \"libMinimal.so\": no manifest refers to it"))
    }

    @Test("An incomplete copy of a packed library is refused, and the listings name the reason")
    func incomplete() async throws {
        _ = try await pack()
        let path = "\(root.path)/Plugins/libMinimal.so"
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in [10, whole.count / 2, whole.count - 100] {
            try root.add(library: whole.prefix(count), as: "libMinimal.so")
            let routes = try await root.host("routes")
            #expect(routes.errors.hasPrefix("host: warning: refused modules: libMinimal;"), "\(count): \(routes)")
            let modules = try await root.host("modules")
            #expect(modules.text.contains("cannot use library \"Plugins/libMinimal.so\": it "), "\(modules)")
            #expect(modules.text.contains("fix: copy the complete library again"), "\(modules)")
        }
    }

    @Test("A malformed manifest in Manifests is not replaced by the packed one")
    func brokenPrecedence() async throws {
        _ = try await pack()
        try root.add(manifest: "{ broken", as: "minimal.json")
        let modules = try await root.host("modules")
        #expect(modules.text.contains("cannot use manifest \"Manifests/minimal.json:1:3\""), "\(modules)")
        #expect(!modules.text.contains("Plugins/libMinimal.so"))
        #expect(try await root.host("run", "minimal").ending == .code(69))
    }

    @Test("A renamed packed library is refused, and other modules work")
    func renamed() async throws {
        _ = try await pack()
        try FileManager.default.moveItem(atPath: library, toPath: "\(root.path)/Plugins/libMoved.so")
        let modules = try await root.host("modules")
        #expect(
            modules.text.contains(
                """

                cannot use manifest "Plugins/libMoved.so": it names another library, "libMinimal.so"
                  fix: rename the library, or pack a manifest that names it

                """), "\(modules)")
        #expect(try await root.host("run", "list").text == RunTests.list)
    }

    @Test("A failed pack leaves the library unchanged")
    func refused() async throws {
        _ = try await pack()
        let before = try bytes()
        let cases: [(text: String, environment: [String: String], error: String, code: Int32)] = [
            ("{", [:], "cannot use manifest \"\(root.folder.path)/minimal.json:1:2\"", 78),
            ("", [:], "cannot use manifest", 78),
            (
                manifest.text.replacing("libMinimal", with: "libOther"), [:],
                "it names another library, \"libOther.so\"", 78
            ),
            (manifest.text, ["PATH": "/nonexistent"], "cannot run \"llvm-objcopy\": No such file or directory", 71),
        ]
        for (text, environment, error, code) in cases {
            let result = try await pack(text, environment: environment)
            #expect(result.ending == .code(code) && result.errors.contains(error), "\(result)")
            #expect(try bytes() == before)
        }
        #expect(try await run("pack", library, "/nonexistent.json").errors.contains("No such file or directory"))
        let file = root.folder.path + "/libMinimal.so"
        try "text".write(toFile: file, atomically: false, encoding: .utf8)
        let text = try await run("pack", file, "\(root.folder.path)/minimal.json")
        #expect(text.errors.contains("it is not an ELF file"), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins").count == 2)
    }

    @Test("A library that another program has written while it was packed is kept")
    func changed() async throws {
        let tool = try await ChildProcess("sh", ["-c", "command -v llvm-objcopy"]).run().text.dropLast()
        let newer = root.folder.path + "/newer.so"
        try (try bytes() + Data("newer".utf8)).write(to: URL(filePath: newer))
        let script = "#!/bin/sh\n\(tool) \"$@\" && mv '\(newer)' '\(library)'\n"
        let path = try root.folder.write(script, to: "bin/llvm-objcopy")
        try #require(chmod(path, 0o755) == 0)
        let result = try await pack(environment: ["PATH": "\(root.folder.path)/bin:/usr/bin:/bin"])
        #expect(result.ending != .code(0), "\(result)")
        #expect(result.errors.contains(": another program has changed the library at the same moment\n  fix: retry\n"))
        #expect(try bytes().suffix(5) == Data("newer".utf8))
    }

    @Test("Packing another user's setuid library creates no setuid file of this user", .needs(.strangers))
    func setuid() async throws {
        try #require(chown(library, Stranger.user, Stranger.user) == 0 && chmod(library, 0o6777) == 0)
        #expect(try await pack().ending == .code(0))
        var status = stat()
        try #require(stat(library, &status) == 0)
        #expect(status.st_uid == 0 && status.st_mode & 0o7777 == 0o755)
    }

    @Test("Packing removes the leftovers of a killed run, and keeps files of other runs")
    func abandoned() async throws {
        let dead = try await ChildProcess("sh", ["-c", "echo $$"]).run().text.dropLast()
        let names = [
            ".libMinimal.so.\(dead).packing", ".libMinimal.so.\(getpid()).packing", ".libOther.so.\(dead).packing",
        ]
        for name in names { try root.folder.write("half", to: "root/Plugins/\(name)") }
        #expect(try await pack().ending == .code(0))
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins")
        #expect(left.filter { $0.hasPrefix(".") }.sorted() == Array(names.dropFirst()))
    }

    @Test("A malformed manifest in a library is refused with its position")
    func garbage() async throws {
        let section = root.folder.path + "/section"
        for (text, error) in [("{ \"name\": 1 }", "libMinimal.so:1:11"), ("\u{0}", "libMinimal.so:1:1")] {
            try text.write(toFile: section, atomically: false, encoding: .utf8)
            let objcopy = ["--remove-section=.viper_manifest", "--add-section=.viper_manifest=\(section)", library]
            #expect(try await ChildProcess("llvm-objcopy", objcopy).run().ending == .code(0))
            let modules = try await root.host("modules")
            #expect(modules.text.contains("cannot use manifest \"Plugins/\(error)"), "\(modules)")
            #expect(try await root.host("run", "list").text == RunTests.list)
        }
    }

    @Test("inspect shows the contents of a library without running its code")
    func inspect() async throws {
        var fixture = ModuleFixture("Watched", ModuleFixture.minimal("viper_entry_v1_Watched"))
        fixture.cSource = "#include <stdlib.h>\n__attribute__((constructor)) static void die(void) { abort(); }\n"
        let library = try await fixture.compiled()
        let text = try await run("inspect", library)
        #expect(text.ending == .code(0), "\(text)")
        for line in [
            "libWatched.so ", "Swift          6.3\n", "entry          viper_entry_v1_Watched\n",
            "needs library  libViperKit.so\n", "ViperKit.Screen.init(title: Swift.String) -> ViperKit.Screen\n",
            "\nNo packed manifest.\n",
        ] { #expect(text.text.contains(line), "\(text)") }
        _ = try await pack()
        let packed = try await run("inspect", self.library)
        #expect(packed.text.hasSuffix("\nPacked manifest:\n\(manifest.text)"), "\(packed)")
        let json = try await run("inspect", self.library, "--format", "json")
        let report = try JSONDecoder().decode(Report.self, from: Data(json.text.utf8))
        #expect(report.manifest == manifest.text && report.swift == "6.3" && report.missing == [])
        let size = try bytes().count
        #expect(report.buildID?.allSatisfy(\.isHexDigit) == true && report.size == size)
        for path in ["/nonexistent.so", "/etc/passwd", "/dev/zero", "/"] {
            let result = try await run("inspect", path)
            #expect(result.ending == .code(path == "/nonexistent.so" ? 66 : 78), "\(result)")
            #expect(result.errors.hasPrefix("host: cannot read library \"\(path)\": "))
        }
    }

    private struct Report: Decodable {
        var size: Int
        var buildID: String?
        var swift: String?
        var missing: [String]
        var manifest: String?
    }
}
