import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

/// A type that adds a manifest and resources to a library. One file then contains the whole module.
package struct LibraryPacker {
    let library: String
    let manifest: String
    let resources: String?

    /// Creates a packer for a library and a manifest.
    ///
    /// - Parameters:
    ///   - library: The path of a module's library.
    ///   - manifest: The path of the module's manifest.
    ///   - resources: The folder with the module's resources. If it is nil and the manifest declares resources, they are
    ///     in the folder that the manifest names, beside the library.
    package init(library: String, manifest: String, resources: String? = nil) {
        (self.library, self.manifest, self.resources) = (library, manifest, resources)
    }

    /// Atomically replaces the library with a copy that contains the manifest and the resources. If packing fails, the
    /// library does not change.
    ///
    /// - Returns: The manifest, and the packed files. Nil if the manifest declares no resources.
    /// - Throws: ``ViperError/Code/manifestInvalid`` if the manifest is invalid or belongs to another library, or if the
    ///   folder of its resources is missing. ``ViperError/Code/fileUnreadable`` if a resource cannot be read.
    ///   ``ViperError/Code/libraryInvalid`` or another error if this host cannot load the library.
    ///   ``ViperError/Code/libraryUnfinished`` if another process does not finish writing the library in time.
    ///   ``ViperError/Code/programFailed`` if the toolchain's `llvm-objcopy` is missing or fails.
    @discardableResult
    package func pack() async throws(ViperError) -> (manifest: Manifest, resources: ResourceIndex?) {
        if access(library, F_OK) != 0, errno == ENOENT { _ = try content(of: library) }
        let parsed = try Manifest(readingFile: manifest, named: manifest)
        let name = pathNames(library).last ?? library
        guard parsed.library == name else {
            throw unsuitable("it names another library, \"\(parsed.library)\"", fix: "write \"library\": \"\(name)\"")
        }
        let (identity, content, permissions) = try await whenFinished {
            () throws(ViperError) -> (FileIdentity?, LibraryContent, mode_t) in
            let identity = FileIdentity(of: library)
            let (content, permissions) = try self.content(of: library)
            return (identity, content, permissions)
        }
        _ = try LibraryCheck(content.bytes, of: name, for: parsed.sdk, kind: parsed.kind)
        let folder = try resourceFolder(of: parsed)
        let index = try await BlockingWork.run { () throws(ViperError) in try folder?.index() }
        // The copy is in the library's folder, because a rename within one folder is atomic. The copy is hidden, so it
        // is not treated as a library.
        let place = String(library.dropLast(name.count))
        removeAbandoned(of: name, in: place.isEmpty ? "." : place)
        let packed = try await packed(content.bytes, index, name)
        guard try EmbeddedManifest.read(in: packed, named: name) == parsed else {
            throw failure("llvm-objcopy did not add it")
        }
        _ = try LibraryCheck(packed, of: name, for: parsed.sdk, kind: parsed.kind)
        let copy = "\(place).\(name).\(getpid()).packing"
        defer { unlink(copy) }
        try await BlockingWork.run { () throws(ViperError) in
            try UninterruptedWork.run { () throws(ViperError) in
                // Creates a new file. If other users can write to the folder, one of them may have placed a link here. The
                // new file belongs to this user even if the old file did not, so it must not give other users write access.
                do throws(ViperError) {
                    try writeSynced(packed, to: copy, permissions: permissions & 0o755)
                    if let folder, let index {
                        try appendSynced(index.files, to: copy) { file throws(ViperError) in
                            try folder.content(of: file)
                        }
                    }
                } catch {
                    if error.code == .fileUnreadable { throw error }
                    throw failure(error.cause)
                }
                // A linker that has written the library since it was read takes no lock. Its code must not be replaced by the
                // earlier one.
                guard FileIdentity(of: library) == identity else {
                    throw failure("another program has changed the library at the same moment", fix: "retry")
                }
                guard rename(copy, library) == 0 else { throw failure(String(cString: strerror(errno))) }
            }
        }
        return (parsed, index)
    }

    /// Returns the folder with the resources that a manifest declares. Returns nil if it declares none.
    private func resourceFolder(of parsed: Manifest) throws(ViperError) -> ResourceFolder? {
        guard let declared = parsed.resources else {
            if resources == nil { return nil }
            throw unsuitable(
                "it declares no resources", fix: "add \"resources\": \"Name/Resources\" to it, with the module's name")
        }
        let name = pathNames(library).last ?? library
        let folder = resources ?? "\(library.dropLast(name.count))\(declared)"
        if isFolder(folder) { return ResourceFolder(path: folder) }
        throw unsuitable(
            "it declares resources, and \(folder) is not a folder",
            fix: "give --resources DIR, or remove \"resources\" from the manifest")
    }

    /// Adds the manifest and the index of the resources to a library, and returns its content. The contents of the
    /// resources must follow it.
    private func packed(
        _ content: [UInt8], _ index: ResourceIndex?, _ name: String
    ) async throws(ViperError) -> [UInt8] {
        let folder = try PrivateFolder(prefix: "viper-pack")
        defer { folder.remove() }
        var bytes = content
        // The contents of earlier resources are not in these bytes.
        bytes.movePackedResources(to: 0, size: 0)
        let copy = try folder.write(Data(bytes), named: name)
        let indexFile = try index.map { index throws(ViperError) in
            try folder.write(Data(index.bytes), named: "index")
        }
        try await objcopy(copy, indexFile)
        do { bytes = [UInt8](try RegularFile(path: copy).read(limit: ElfFile.limit)) } catch {
            throw failure(error.cause)
        }
        guard let index else { return bytes }
        bytes += [UInt8](repeating: 0, count: -bytes.count & 7)
        guard bytes.movePackedResources(to: bytes.count, size: index.bytes.count + index.contentSize) else {
            throw failure("llvm-objcopy did not add the resources")
        }
        return bytes + index.bytes
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

    private func objcopy(_ copy: String, _ index: String?) async throws(ViperError) {
        let (section, resources) = (EmbeddedManifest.section, ResourceIndex.section)
        var command = Subprocess(
            "llvm-objcopy",
            ["--remove-section=\(section)", "--remove-section=\(resources)", "--add-section=\(section)=\(manifest)"]
                + (index.map { ["--add-section=\(resources)=\($0)"] } ?? []) + [copy])
        command.output = .captured(limit: 4096)
        // The command takes only milliseconds. The limit ends it if a file system hangs.
        command.timeLimit = .seconds(60)
        let result = try await command.run()
        if result.ending == .code(0) { return }
        throw failure(
            result.ending.termination(of: command.program)
                ?? "\(command.program) failed: \(String(decoding: result.errors, as: UTF8.self))")
    }

    private func content(of path: String) throws(ViperError) -> (LibraryContent, mode_t) {
        let (content, permissions): (Result<LibraryContent, ElfFile.Problem>, mode_t)
        do {
            let file = try RegularFile(path: path)
            content = try file.whileFinished { [library] file throws(RegularFile.Failure) in
                try LibraryContent.read(file, named: library)
            }
            permissions = file.permissions
        } catch {
            if error.isUnfinished { throw .unfinished(library, path, error) }
            throw .unreadable(path, error)
        }
        do { return (try content.get(), permissions) } catch {
            throw ViperError(.libraryInvalid, operation: "cannot read library", subject: path, cause: error.cause)
        }
    }

    private func failure(_ cause: String, fix: String? = nil) -> ViperError {
        ViperError(.programFailed, operation: "cannot pack manifest into", subject: library, cause: cause, fix: fix)
    }

    private func unsuitable(_ cause: String, fix: String) -> ViperError {
        ViperError(.manifestInvalid, operation: "cannot use manifest", subject: manifest, cause: cause, fix: fix)
    }
}

extension [UInt8] {
    /// Changes the place of the packed resources in the header of their section. Returns false if the library has no such
    /// section.
    @discardableResult
    fileprivate mutating func movePackedResources(to offset: Int, size: Int) -> Bool {
        guard
            let place = try? ElfFile.place(
                ofSection: ResourceIndex.section, inFileOf: count, ElfFile.parts(of: self))
        else { return false }
        for (field, number) in [(24, offset), (32, size)] {
            let start = place.header + field
            replaceSubrange(start..<(start + 8), with: Swift.withUnsafeBytes(of: number.littleEndian, Array.init))
        }
        return true
    }
}
