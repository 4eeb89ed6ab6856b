public import Foundation

/// A root for one test, together with the built host that uses the root.
public final class ScratchRoot: Sendable {
    /// The folder that contains the root. It is removed when the root is deinitialized.
    public let folder: ScratchFolder
    /// The executable that ``host(_:environment:configure:)`` runs.
    public let executable: String

    public var path: String { folder.path + "/root" }
    /// The value of `TMPDIR` for every host in this root.
    public var temporary: String { folder.path + "/tmp" }
    /// The value of `XDG_CACHE_HOME` for every host in this root.
    public var cache: String { folder.path + "/cache" }

    /// The environment of every host in this root.
    public var environment: [String: String] {
        [
            "TMPDIR": temporary, "XDG_CACHE_HOME": cache, "XDG_RUNTIME_DIR": folder.path + "/run",
            "HOME": folder.path + "/home",
        ]
    }

    /// Creates a root that contains the bundled module `company-list`.
    ///
    /// - Parameter executable: The host to run. Its folder also contains the library of `company-list`.
    /// - Throws: An error if a folder cannot be created or a file cannot be copied.
    public init(executable: String = Products.host) throws {
        folder = try ScratchFolder()
        self.executable = executable
        let files = FileManager.default
        for name in ["tmp", "run"] {
            try files.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        try files.createDirectory(atPath: folder.path + "/root/Manifests", withIntermediateDirectories: true)
        try files.createDirectory(atPath: folder.path + "/root/Plugins/CompanyList", withIntermediateDirectories: true)
        for item in ["Manifests/company-list.json", "Plugins/CompanyList/Resources"] {
            try files.copyItem(atPath: "\(Products.repository)/\(item)", toPath: "\(folder.path)/root/\(item)")
        }
    }

    private struct Resources: Decodable { var resources: String? }

    /// Adds the manifest and the resources of another bundled module, given the module's name.
    public func copyManifest(_ name: String) throws {
        let text = try String(contentsOfFile: "\(Products.repository)/Manifests/\(name).json", encoding: .utf8)
        if let resources = try JSONDecoder().decode(Resources.self, from: Data(text.utf8)).resources {
            let (files, folder) = (FileManager.default, "\(path)/Plugins/\(resources)")
            try files.createDirectory(
                atPath: (folder as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            if !files.fileExists(atPath: folder) {
                try files.copyItem(atPath: "\(Products.repository)/Plugins/\(resources)", toPath: folder)
            }
        }
        try add(manifest: text, as: "\(name).json")
    }

    public func add(_ manifest: ManifestText) throws { try add(manifest: manifest.text, as: manifest.name + ".json") }

    /// Adds a manifest. The file is renamed into place, so that a running host never reads an incomplete manifest.
    public func add(manifest text: String, as file: String) throws {
        let new = try folder.write(text, to: "new.json")
        guard rename(new, "\(path)/Manifests/\(file)") == 0 else {
            throw ChildFailure("cannot add \(file): \(String(cString: strerror(errno)))")
        }
    }

    /// Adds a module's library and manifest.
    public func add(_ fixture: ModuleFixture, _ manifest: ManifestText) async throws {
        try copy(await fixture.compiled(), to: manifest.library)
        try add(manifest)
    }

    /// Copies a library to the folder `Plugins`.
    public func copy(_ library: String, to name: String) throws {
        try copyFile(library, to: "\(path)/Plugins/\(name)")
    }

    /// Writes a library's bytes to the folder `Plugins`.
    public func add(library bytes: Data, as name: String) throws { try folder.write(bytes, to: "root/Plugins/\(name)") }

    /// Returns the names of the temporary folders that hosts with this root have not removed, sorted.
    public func temporaryFolders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary).sorted()
    }

    /// Runs the host with the given arguments and this root, and returns its result.
    public func host(
        _ arguments: String..., environment: [String: String] = [:],
        configure: (inout ChildProcess) -> Void = { _ in }
    ) async throws -> ChildResult {
        var child = ChildProcess(
            executable, arguments + ["--root", path],
            environment: self.environment.merging(environment) { $1 })
        configure(&child)
        return try await child.run()
    }

    /// Runs the host under a tool that observes it, such as strace, and returns the result.
    ///
    /// - Parameter tool: The tool and its arguments.
    public func host(
        _ words: [String], under tool: [String], environment: [String: String] = [:]
    ) async throws -> ChildResult {
        try await ChildProcess(
            tool[0], tool.dropFirst() + [executable] + words + ["--root", path],
            environment: self.environment.merging(environment) { $1 }
        ).run()
    }

    /// Starts the host in a terminal, with the given arguments and this root.
    public func terminal(
        _ arguments: String..., environment: [String: String] = [:],
        configure: (inout ChildProcess) -> Void = { _ in }
    ) throws -> TerminalSession {
        var child = ChildProcess(
            executable, arguments + ["--root", path],
            environment: self.environment.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 })
        configure(&child)
        return try TerminalSession(child)
    }
}
