import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

/// A type that adds a manifest to a library. One file then contains the whole module.
package struct LibraryPacker {
    let library: String
    let manifest: String

    /// Creates a packer for a library and a manifest.
    ///
    /// - Parameters:
    ///   - library: The path of a module's library.
    ///   - manifest: The path of the module's manifest.
    package init(library: String, manifest: String) { (self.library, self.manifest) = (library, manifest) }

    /// Atomically replaces the library with a copy that contains the manifest. If packing fails, the library does not
    /// change.
    ///
    /// - Returns: The manifest.
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the manifest is invalid or belongs to another library.
    ///   ``ViperError/Code/libraryInvalid`` or another error if this host cannot load the library.
    ///   ``ViperError/Code/libraryUnfinished`` if another process does not finish writing the library in time.
    ///   ``ViperError/Code/programFailed`` if the toolchain's `llvm-objcopy` is missing or fails.
    package func pack() async throws(ViperError) -> Manifest {
        if access(library, F_OK) != 0, errno == ENOENT { _ = try content(of: library) }
        let parsed = try Manifest(readingFile: manifest, named: manifest)
        let name = pathNames(library).last ?? library
        guard parsed.library == name else {
            throw ViperError(
                .manifestInvalid, operation: "cannot use manifest", subject: manifest,
                cause: "it names another library, \"\(parsed.library)\"",
                fix: "write \"library\": \"\(name)\"")
        }
        let (content, permissions) = try await whenFinished { () throws(ViperError) -> (Data, mode_t) in
            try self.content(of: library)
        }
        _ = try LibraryCheck([UInt8](content), of: name, for: parsed.sdk, kind: parsed.kind)
        // The copy is in the library's folder, because a rename within one folder is atomic. The copy is hidden, so it
        // is not treated as a library.
        let folder = String(library.dropLast(name.count))
        removeAbandoned(of: name, in: folder.isEmpty ? "." : folder)
        let packed = try await packed(content, name)
        guard try EmbeddedManifest.read(in: packed, named: name) == parsed else {
            throw failure("llvm-objcopy did not add it")
        }
        _ = try LibraryCheck(packed, of: name, for: parsed.sdk, kind: parsed.kind)
        let copy = "\(folder).\(name).\(getpid()).packing"
        defer { unlink(copy) }
        // Creates a new file. If other users can write to the folder, one of them may have placed a link here. The new
        // file belongs to this user even if the old file did not, so it must not give other users write access.
        do { try writeSynced(packed, to: copy, permissions: permissions & 0o755) } catch { throw failure(error.cause) }
        guard rename(copy, library) == 0 else { throw failure(String(cString: strerror(errno))) }
        return parsed
    }

    /// Adds the manifest to a private copy of the library, and returns the content of that copy.
    private func packed(_ content: Data, _ name: String) async throws(ViperError) -> [UInt8] {
        let folder = try PrivateFolder(prefix: "viper-pack")
        defer { folder.remove() }
        let copy = try folder.write(content, named: name)
        try await objcopy(copy)
        do { return [UInt8](try RegularFile(path: copy).read(limit: LibraryFinder.limit)) } catch {
            throw failure(error.cause)
        }
    }

    /// Removes the copies left behind by processes that were killed while packing this library.
    private func removeAbandoned(of name: String, in folder: String) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for file in files where file.hasPrefix(".\(name).") && file.hasSuffix(".packing") {
            guard let process = Int32(file.dropFirst(name.count + 2).dropLast(".packing".count)), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink("\(folder)/\(file)")
        }
    }

    private func objcopy(_ copy: String) async throws(ViperError) {
        let section = EmbeddedManifest.section
        var command = Subprocess(
            "llvm-objcopy",
            ["--remove-section=\(section)", "--add-section=\(section)=\(manifest)", copy])
        command.output = .captured(limit: 4096)
        // The command takes only milliseconds. The limit ends it if a file system hangs.
        command.timeLimit = .seconds(60)
        let result = try await command.run()
        if result.ending == .code(0) { return }
        throw failure(
            result.ending.termination(of: command.program)
                ?? "\(command.program) failed: \(String(decoding: result.errors, as: UTF8.self))")
    }

    private func content(of path: String) throws(ViperError) -> (Data, mode_t) {
        do {
            let file = try RegularFile(path: path)
            return (try file.readFinished(limit: LibraryFinder.limit), file.permissions)
        } catch {
            if error.isUnfinished { throw .unfinished(library, path, error) }
            throw .unreadable(path, error)
        }
    }

    private func failure(_ cause: String) -> ViperError {
        ViperError(.programFailed, operation: "cannot pack manifest into", subject: library, cause: cause)
    }
}
