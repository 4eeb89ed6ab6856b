package import HostSystem
package import ViperKit

/// The private copy of a library that a command installs. Nothing has run its code yet.
package struct OfferedLibrary: Sendable {
    package let manifest: Manifest
    /// The digest that identifies the copy.
    package let digest: Digest
    /// The ID of the user who owns the original. Nil if that user is trusted.
    package let stranger: UInt32?

    /// Copies a library, after its size and its first bytes have shown that it is one.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the library, which may have any name.
    ///   - copy: The path of the copy.
    ///   - trust: The rules on who may change the library. A digest replaces them.
    ///   - expected: The digest that the user expects, of the library or of the whole file with its packed resources.
    ///   - isAsked: True if the user can still refuse the library when its owner is known.
    ///   - checkpoint: A closure that throws if the library is not wanted any more. It is called before each part.
    /// - Throws: ``ViperError/Code/pathUntrusted`` if another user could have changed the file, and no digest is expected.
    ///   The errors of ``copyLibrary(_:to:)``, or an error if the file is no module's library.
    package init(
        copying path: String, to copy: String, _ trust: Trust, expecting expected: Digest?, isAsked: Bool,
        checkpoint: () throws(ViperError) -> Void
    ) throws(ViperError) {
        let named: NamedFile
        do { named = try NamedFile(path, trust) } catch { throw .unreadable(path, error) }
        if expected == nil { try Self.checkTrust(named, path, trust, isAsked) }
        try copyLibrary(named.content, path, to: copy, checkpoint) { file throws(ViperError) in
            try checkModule(in: file, at: path)
        }
        stranger = named.stranger
        do {
            manifest = try Manifest(packedIn: copy)
            digest = try libraryDigest(ofFile: copy)
            if let expected, expected != digest { try Self.check(copy, expected, digest) }
        } catch {
            var error = error
            error.subject.replace(copy, with: path)
            error.fix = error.fix?.replacing(copy, with: path)
            throw error
        }
    }

    private static func checkTrust(
        _ named: borrowing NamedFile, _ path: String, _ trust: Trust, _ isAsked: Bool
    ) throws(ViperError) {
        do {
            try named.checkExposure()
            if let stranger = named.stranger, !isAsked {
                try trust.enforce(
                    .untrusted(
                        "user \(stranger), who is not trusted, owns it, and nobody is asked",
                        fix: "answer the question of the command without --yes"))
            }
        } catch {
            var refusal = error.refusal("cannot install library", path) ?? .unreadable(path, error)
            refusal.fix = refusal.fix.map { "give --sha256 with the digest that its author names; or \($0)" }
            throw refusal
        }
    }

    private static func check(_ copy: String, _ expected: Digest, _ digest: Digest) throws(ViperError) {
        let whole: Digest
        do { whole = Digest(of: try RegularFile(path: copy).read(limit: .max)) } catch {
            throw .unreadable(copy, error)
        }
        if whole == expected { return }
        throw ViperError(
            .libraryInvalid, operation: "cannot install library", subject: copy,
            cause: "its SHA-256 is \(whole), expected \(expected)", fix: "get the library from its author again")
    }
}

/// Copies a library in parts, and syncs the copy. Only its owner can write to the copy.
///
/// - Throws: ``ViperError/Code/libraryUnfinished`` if another process is still writing the library,
///   ``ViperError/Code/libraryFileMissing``, ``ViperError/Code/libraryInvalid``, or ``ViperError/Code/storeFailed``.
func copyLibrary(_ path: String, to copy: String) throws(ViperError) {
    let file: RegularFile
    do { file = try RegularFile(path: path) } catch { throw .unreadable(path, error) }
    try copyLibrary(file, path, to: copy, {}) { _ in }
}

private func copyLibrary(
    _ file: borrowing RegularFile, _ path: String, to copy: String, _ checkpoint: () throws(ViperError) -> Void,
    after check: (borrowing RegularFile) throws(ViperError) -> Void
) throws(ViperError) {
    let part = 1 << 20
    let result: Result<Void, ViperError>
    do {
        result = try file.whileFinished { file throws(RegularFile.Failure) -> Result<Void, ViperError> in
            let descriptor = try file.duplicate()
            do throws(ViperError) {
                try check(descriptor)
                try writeSynced([], to: copy, permissions: 0o644)
                let starts = Array(stride(from: 0, to: descriptor.size, by: part))
                try appendSynced(starts, to: copy) { start throws(ViperError) in
                    try checkpoint()
                    do throws(RegularFile.Failure) {
                        return try descriptor.read(at: start, count: min(part, descriptor.size - start))
                    } catch {
                        throw .unreadable(path, error)
                    }
                }
                return .success(())
            } catch { return .failure(error) }
        }
    } catch {
        if error.isUnfinished { throw .unfinished(pathNames(path).last ?? path, path, error) }
        throw .unreadable(path, error)
    }
    try result.get()
}
