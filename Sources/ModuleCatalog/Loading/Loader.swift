import FoundationEssentials
import Glibc
package import HostSystem
import Synchronization
package import ViperKit

/// A type that loads the libraries for modules. It finds a library, checks it, and loads a private copy.
package final class Loader: Sendable {
    package let finder: LibraryFinder
    private let timeout: Duration
    /// The contracts that this process has loaded, keyed by the name of the library.
    let contracts = LoadedContracts()
    private struct State {
        var folder: PrivateFolder?
        /// True if the process is exiting. In that case, no folder is created, because nothing would remove it.
        var isOver = false
    }

    private let state = Mutex(State())
    private static let copies = Atomic(0)

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - finder: The finder for the libraries.
    ///   - timeout: The maximum time to wait for a library that another process is still writing.
    package init(finder: LibraryFinder, timeout: Duration = libraryTimeout) {
        (self.finder, self.timeout) = (finder, timeout)
    }

    /// The identity of the root's lock, which changes with the libraries that the host may load. Nil without a lock.
    package var lock: FileIdentity? { finder.lock.identity }

    /// Keeps what errors about libraries say of the root: which libraries its manifests refer to, and which of them are
    /// contracts.
    package func note(_ manifests: [Manifest]) {
        finder.referenced.names = Set(manifests.map(\.library))
        let contracts = manifests.filter { $0.kind == .contract }
        finder.referenced.contracts = Dictionary(contracts.map { ($0.library, $0) }) { first, _ in first }
    }

    /// Logs the differences between a manifest file and the manifest that the library contains.
    func tellDifferences(of manifest: Manifest, from content: [UInt8]) {
        let library = manifest.library
        // A worker does not compare manifests, because its host has written its manifest files.
        guard !finder.readsPrivateCopies, let packed = try? EmbeddedManifest.read(in: content, named: library) else {
            return
        }
        let keys = manifest.differences(from: packed).joined(separator: ", ")
        if keys.isEmpty { return }
        finder.warnings.add(
            "the manifest of \(manifest.name) differs from the one in \(library) in: \(keys); the file is used")
    }

    /// Checks that a library still contains the manifest that was read from it. Without this check, the code of a library
    /// that was replaced meanwhile would run with the earlier manifest.
    func checkPacked(_ manifest: Manifest, in content: [UInt8]) throws(ViperError) {
        if (try? EmbeddedManifest.read(in: content, named: manifest.library)) == manifest { return }
        throw ViperError(
            .moduleOutdated, operation: "cannot use module", subject: manifest.name,
            cause: "\(manifest.library) was replaced after its manifest was read", fix: "retry")
    }

    /// Returns the ViperKit declarations that a module's library needs and this host does not have, as notes for an
    /// error. Returns an empty array if the library cannot be read.
    package func missingDeclarations(_ manifest: Manifest) -> [ViperError.Note] {
        guard let content = try? finder.read(manifest.library) else { return [] }
        return LibraryCheck.missingDeclarations(in: content.bytes)
    }

    /// Returns the declarations that a module's library needs and that its contracts do not have, as notes for an error.
    /// Returns an empty array if a library cannot be read.
    package func missingDeclarations(_ manifest: Manifest, in contracts: [Manifest]) -> [ViperError.Note] {
        func file(_ manifest: Manifest) -> ElfFile? {
            (try? finder.read(manifest.library)).flatMap { try? ElfFile($0.bytes) }
        }
        guard let undefined = try? file(manifest)?.linkage().undefined else { return [] }
        return contracts.flatMap { contract in
            guard let file = file(contract) else { return [ViperError.Note]() }
            return ModuleSymbols(of: contract.swiftModule).missing(undefined) { (try? file.defines($0)) ?? true }
        }
    }

    /// Checks a module's library and makes a private copy of it. Other processes cannot change the copy while it is
    /// loaded.
    ///
    /// - Throws: ``ViperError/Code/libraryUnfinished`` if another process does not finish writing the library in time.
    ///   ``ViperError/Code/moduleOutdated`` if the library no longer contains the manifest. Another error if the library
    ///   is missing or invalid.
    package func copy(_ subject: LibraryChecks.Subject) async throws(ViperError) -> LibraryCopy {
        try await whenFinished(within: timeout) { [self] () throws(ViperError) in
            func check() throws(ViperError) -> LibraryChecks.Checked {
                try LibraryChecks(self, after: .ofProcess).checkBeforeLoading(subject)
            }
            do throws(ViperError) { return try copy(try check(), of: subject.manifest) } catch {
                guard error.code == .libraryUnlocked else { throw error }
                // The library and the lock may have been replaced after the library was read.
                return try copy(try check(), of: subject.manifest)
            }
        }
    }

    private func copy(_ checked: LibraryChecks.Checked, of manifest: Manifest) throws(ViperError) -> LibraryCopy {
        let (library, content) = (manifest.library, checked.content)
        // The host of a worker has told its warnings.
        if !finder.readsPrivateCopies { for warning in checked.warnings { finder.warnings.add(warning.fault) } }
        let folder = try folder()
        // glibc identifies a library by its path. If a path is reused, glibc returns the earlier library. The number is
        // unique in the process, because a later loader's folder may reuse the descriptor number in the path.
        let number = Self.copies.add(1, ordering: .relaxed).newValue
        let name = "\(number)-\(library)"
        // Debuggers find the section of the packed resources, which is a hole.
        return LibraryCopy(
            library: library, path: try folder.write(content.code, named: name, size: content.size),
            ownPath: "\(folder.ownPath)/\(name)", entrySymbol: checked.entrySymbol, content: content.code,
            resources: try resources(of: manifest, in: content))
    }

    /// Returns the packed resources of a module. Nil if its manifest declares no resources, or if none are packed.
    private func resources(of manifest: Manifest, in content: LibraryContent) throws(ViperError) -> PackedResources? {
        guard let folder = manifest.resources, let packed = content.resources else { return nil }
        guard finder.readsPrivateCopies else { return packed }
        // A worker's library is a private copy without the resources. Its host has linked the file that has them.
        let path = "\(finder.root.plugins)/\(folder)"
        do { return packed.inFile(try RegularFile(path: path)) } catch {
            throw ViperError(
                .resourceMissing, operation: "cannot use resources", subject: path, cause: error.cause)
        }
    }

    /// Returns the folder for this process's private files. Creates the folder on the first call. ``end()`` removes it
    /// with its content.
    package func folder() throws(ViperError) -> PrivateFolder {
        try state.withLock { state throws(ViperError) -> PrivateFolder in
            if let folder = state.folder { return folder }
            if state.isOver {
                throw ViperError(
                    .resourceMissing, operation: "cannot load", subject: "a library", cause: "the host is shutting down"
                )
            }
            let folder = try PrivateFolder(trust: finder.root.trust.ofProcess)
            state.folder = folder
            return folder
        }
    }

    /// Loads a copy and returns the module's type.
    ///
    /// Only `dlopen` and the call to the entry function run on the main actor.
    ///
    /// - Parameters:
    ///   - manifest: The module's manifest, which names the module in a report about a crash.
    ///   - contracts: The contracts that the module uses. They must be loaded.
    /// - Throws: ``ViperError/Code/libraryFailed`` if the dynamic linker cannot load the library,
    ///   ``ViperError/Code/libraryIncompatible`` if a contract lacks a declaration,
    ///   ``ViperError/Code/resourceMissing`` if a system resource is exhausted, or ``ViperError/Code/entryInvalid`` if
    ///   the library has no valid entry.
    package func load(
        _ copy: LibraryCopy, of manifest: Manifest, with contracts: [Manifest] = []
    ) async throws(ViperError) -> any Module.Type {
        let entrySymbol = copy.entrySymbol ?? ""
        return try await load(copy, of: manifest, with: contracts) {
            try DynamicLinker.entry(ofLibrary: copy.ownPath, symbol: entrySymbol)
        }
    }

    func load<Value: Sendable>(
        _ copy: LibraryCopy, of manifest: Manifest, with contracts: [Manifest],
        _ link: @MainActor @Sendable () throws -> Value
    ) async throws(ViperError) -> Value {
        if CrashHandler.isInstalled {
            CrashHandler.add(
                library: copy.ownPath, module: manifest.name, version: manifest.version, digest: copy.digest)
        }
        finder.logger.log(.debug, "loading \(copy.library) as \(copy.path)")
        do {
            return try await MainActor.run(body: link)
        } catch let failure as DynamicLinker.Failure {
            // glibc reports errno only as text.
            let isShort = [EMFILE, ENFILE, ENOMEM].contains { failure.cause.hasSuffix(systemReason($0)) }
            if !isShort { try await explain(copy, manifest, contracts) }
            // glibc has no other mark for this than the text.
            let isFull = failure.cause.contains("static TLS block")
            // Removes the path of the private copy from the message, because users do not know that path.
            let place = "\(copy.ownPath): "
            let cause = failure.cause.hasPrefix(place) ? String(failure.cause.dropFirst(place.count)) : failure.cause
            throw ViperError(
                isShort ? .resourceMissing : .libraryFailed, operation: "cannot load library", subject: copy.library,
                cause: cause,
                fix: isFull
                    ? "restart the host, and compile the module's C files without -ftls-model=initial-exec, or write "
                        + "\"isolation\": \"process\" in its manifest" : nil)
        } catch {
            let cause = (error as? ViperError)?.cause ?? "\(error)"
            let fix = (error as? ViperError)?.fix
            throw ViperError(
                .entryInvalid, operation: "cannot load library", subject: copy.library, cause: cause, fix: fix
            )
        }
    }

    /// If ``ContractCheck`` finds missing declarations, or ``LinkCheck`` finds a missing library or missing symbols,
    /// throws an error that names them. The dynamic linker reports only the first problem.
    private func explain(
        _ copy: LibraryCopy, _ manifest: Manifest, _ contracts: [Manifest]
    ) async throws(ViperError) {
        try await BlockingWork.run { () throws(ViperError) in
            guard let library = try? RegularFile(path: copy.ownPath),
                let content = try? LibraryContent.read(library, named: copy.library).get(),
                let file = try? ElfFile(content.bytes), let linkage = try? file.linkage()
            else { return }
            try ContractCheck.check(
                linkage.undefined, of: manifest,
                against: contracts.map { contract in
                    (contract, { DynamicLinker.hasSymbol($0, in: contract.library) })
                })
            try LinkCheck().check(file, linkage, of: copy.library)
        }
    }

    func removeCopies() {
        state.withLock { state in
            state.folder?.remove()
            state.folder = nil
        }
    }

    /// Removes the private copies. The host calls this method when the process exits. No library can be loaded
    /// afterwards.
    package func end() {
        state.withLock { $0.isOver = true }
        removeCopies()
    }
}
