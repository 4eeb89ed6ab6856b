import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct RootTests {
    /// Creates a root with one module, whose route is the root's name. Listing routes does not need the library.
    private func makeRoot(_ name: String, in folder: ScratchFolder) throws -> String {
        let manifest = ManifestText(name, library: "libNone.so", routes: [name])
        try folder.write(manifest.text, to: "\(name)/Manifests/\(name).json")
        return folder.path + "/" + name
    }

    private func routes(_ host: BareHost, _ arguments: [String], _ environment: [String: String], in folder: String)
        async throws -> [String]
    {
        let result = try await host.run(
            ["routes", "--format", "json"] + arguments, environment: environment, workingFolder: folder)
        #expect(result.ending == .code(0), "\(result)")
        return try JSONDecoder().decode([ShownRoute].self, from: result.output).map(\.route)
    }

    @Test("--root precedes VIPER_ROOT, then parent folders, then the executable's folder")
    func order() async throws {
        let host = try await BareHost()
        let beside = ManifestText("beside", library: "libNone.so", routes: ["beside"])
        try FileManager.default.createDirectory(atPath: host.folder + "/Manifests", withIntermediateDirectories: true)
        try beside.text.write(toFile: host.folder + "/Manifests/beside.json", atomically: true, encoding: .utf8)
        let folder = try ScratchFolder()
        let (given, variable, upwards) = (
            try makeRoot("given", in: folder), try makeRoot("variable", in: folder), try makeRoot("upwards", in: folder)
        )
        let deep = upwards + "/a/b"
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)

        #expect(try await routes(host, ["--root", given], ["VIPER_ROOT": variable], in: deep) == ["given"])
        #expect(try await routes(host, [], ["VIPER_ROOT": variable], in: deep) == ["variable"])
        #expect(try await routes(host, [], [:], in: deep) == ["upwards"])
        #expect(try await routes(host, [], [:], in: "/") == ["beside"])
        // An inner root hides the outer one.
        try FileManager.default.createDirectory(atPath: deep + "/Manifests", withIntermediateDirectories: true)
        #expect(try await routes(host, [], [:], in: deep).isEmpty)
    }

    @Test("A relative root refers to the working folder")
    func relative() async throws {
        let folder = try ScratchFolder()
        _ = try makeRoot("given", in: folder)
        #expect(try await routes(await BareHost(), ["--root", "given"], [:], in: folder.path) == ["given"])
        #expect(try await routes(await BareHost(), ["--root=./given/."], [:], in: folder.path) == ["given"])
    }

    @Test("An invalid root exits with 66 and names its origin")
    func invalidRoot() async throws {
        let host = try await BareHost()
        let folder = try ScratchFolder()
        let cases: [(arguments: [String], environment: [String: String], path: String, origin: String)] = [
            (["--root", folder.path], [:], folder.path, "--root"),
            (["--root", "/nonexistent"], [:], "/nonexistent", "--root"),
            ([], ["VIPER_ROOT": folder.path], folder.path, "$VIPER_ROOT"),
        ]
        for (arguments, environment, path, origin) in cases {
            let result = try await host.run(["run", "list"] + arguments, environment: environment)
            #expect(result.ending == .code(66))
            #expect(
                result.errors == """
                    host: cannot use root "\(path)": it has no folder Manifests
                      given by  \(origin)
                      fix: give the folder that contains Manifests and Plugins

                    """)
        }
    }

    @Test("A root that this user may not enter is named as such", .needs(.strangers))
    func forbiddenRoot() async throws {
        let root = try SystemFolder()
        let site = "\(root.path)/site"
        try FileManager.default.createDirectory(atPath: "\(site)/Manifests", withIntermediateDirectories: true)
        try #require(chmod(site, 0o700) == 0)
        let host = try await BareHost()
        let arguments = ["routes", "--root", "\(root.path)/site"]
        let result = try await Stranger.program(host.executable, arguments).run()
        #expect(result.ending == .code(66), "\(result)")
        #expect(result.errors.contains("cannot use root \"\(root.path)/site\": Permission denied"), "\(result)")
        #expect(result.errors.contains("fix: let this user enter the folder"), "\(result)")
    }

    @Test("A missing root exits with 66 and says how to name one", arguments: ["routes", "modules", "services"])
    func missingRoot(command: String) async throws {
        let host = try await BareHost()
        let result = try await host.run([command], workingFolder: host.folder)
        #expect(result.ending == .code(66))
        #expect(result.text == "")
        #expect(
            result.errors == """
                host: cannot find a root from "\(host.folder)": neither it, nor the executable's folder, nor a folder above them contains Manifests
                  fix: give --root DIR, or set VIPER_ROOT

                """)
    }
}
