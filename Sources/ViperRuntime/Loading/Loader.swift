import FoundationEssentials
import Glibc
import Synchronization
import ViperKit

/// Turns a library into a module's entry: finds it, checks it, and loads a private copy of it.
final class Loader: Sendable {
    private let finder: LibraryFinder
    private let tellsDifferences: Bool
    private let state = Mutex<(folder: PrivateFolder?, generation: Int)>((nil, 0))

    /// - Parameter tellsDifferences: Whether the log tells where a manifest differs from the one that its library carries.
    init(finder: LibraryFinder, tellsDifferences: Bool = true) {
        (self.finder, self.tellsDifferences) = (finder, tellsDifferences)
    }

    /// Checks a module's library without loading it.
    func check(_ manifest: Manifest) throws(ViperError) {
        let content = [UInt8](try finder.read(manifest.library))
        _ = try LibraryCheck(content, of: manifest.library, for: manifest.sdk)
        tellDifferences(of: manifest, from: content)
    }

    /// Tells in what a manifest's file differs from the one that the library carries.
    private func tellDifferences(of manifest: Manifest, from content: [UInt8]) {
        let library = manifest.library
        guard tellsDifferences, let packed = try? EmbeddedManifest.read(in: content, named: library) else { return }
        let keys = manifest.differences(from: packed).joined(separator: ", ")
        if keys.isEmpty { return }
        finder.logger.log(
            .warning,
            "the manifest of \(manifest.name) differs from the one in \(library) in: \(keys); the file is used")
    }

    /// The declarations of ViperKit that a module's library needs and this host does not have, as evidence.
    func missingDeclarations(_ manifest: Manifest) -> [ViperError.Note] {
        guard let content = try? finder.read(manifest.library) else { return [] }
        return LibraryCheck.missingDeclarations(in: [UInt8](content))
    }

    /// Checks a module's library and makes a private copy of it, which nobody can change while it is loaded.
    @concurrent
    func copy(_ manifest: Manifest) async throws(ViperError) -> LibraryCopy {
        let library = manifest.library
        let content = try finder.read(library)
        let bytes = [UInt8](content)
        let check = try LibraryCheck(bytes, of: library, for: manifest.sdk)
        tellDifferences(of: manifest, from: bytes)
        let folder = try folder()
        let number = state.withLock { state in
            state.generation += 1
            return state.generation
        }
        // glibc knows a library by its path: one that was used before would give the earlier library.
        let path = try folder.write(content, named: "\(number)-\(library)")
        return LibraryCopy(library: library, path: path, entrySymbol: check.entrySymbol, content: content)
    }

    /// Where this process keeps what it alone may see. It goes with ``removeCopies()``, and all in it.
    func folder() throws(ViperError) -> PrivateFolder {
        try state.withLock { state throws(ViperError) -> PrivateFolder in
            if let folder = state.folder { return folder }
            let folder = try PrivateFolder()
            state.folder = folder
            return folder
        }
    }

    /// Loads a copy.
    ///
    /// Only the loading itself takes the main actor's time.
    func load(_ copy: LibraryCopy) async throws(ViperError) -> ModuleEntry {
        finder.logger.log(.debug, "loads \(copy.library) as \(copy.path)")
        do {
            return try await DynamicLinker.entry(ofLibrary: copy.path, symbol: copy.entrySymbol)
        } catch let failure as DynamicLinker.Failure {
            // glibc tells errno in words only.
            let isShort = [EMFILE, ENFILE, ENOMEM].contains { failure.cause.hasSuffix(systemReason($0)) }
            throw ViperError(
                isShort ? .resourceMissing : .libraryFailed, "cannot load library", copy.library, cause: failure.cause)
        } catch {
            let cause = (error as? ViperError)?.cause ?? "\(error)"
            let mend = (error as? ViperError)?.mend
            throw ViperError(.entryInvalid, "cannot load library", copy.library, cause: cause, mend: mend)
        }
    }

    /// Removes the private copies. For the end of the process.
    func removeCopies() {
        state.withLock { state in
            state.folder?.remove()
            state.folder = nil
        }
    }
}
