import Foundation
import HostDriver

/// A subject that measures `host build` after one line of a module has changed.
enum CommandBuild: Subject {
    static let name = "build"
    static let summary = "host build after one changed line"

    static func trials(_ effort: Effort) async throws -> [Trial] {
        // Compiling takes longer than a test should.
        if effort == .quick { return [] }
        let root = try ScratchRoot()
        let manifest = ManifestText("plain", library: "libPlain.so", routes: ["plain"]).text
        try root.folder.write(manifest, to: "Plain/plain.json")
        let file = root.folder.path + "/Plain/Plain.swift"
        let link = try await SDKBuild.products.linking()
        let compiler = ChildProcess(
            "swiftc",
            ["-emit-library", "-parse-as-library", "-swift-version", "6", "-module-name", "Plain", "-Onone", "-g"]
                + ["-o", root.folder.path + "/libPlain.so"] + link + [file])
        let host = ChildProcess(
            root.executable, ["build", root.folder.path + "/Plain", "--root", root.path],
            environment: root.environment)
        var version = 0
        func loop(_ child: ChildProcess) -> Loop {
            { count in
                var successes = 0
                for _ in 0..<count {
                    version += 1
                    try root.folder.write(PlainModule(title: "version \(version)").source, to: "Plain/Plain.swift")
                    let result = try await child.run()
                    if result.ending != .code(0) { throw UnexpectedResult("\(result)") }
                    successes += 1
                }
                return successes
            }
        }
        return [
            Trial(
                "host build after one changed line", floor: "swiftc of the same file", subject: loop(host),
                by: loop(compiler))
        ]
    }
}
