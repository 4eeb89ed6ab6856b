import FoundationEssentials
import Synchronization
import ViperKit

/// Turns a library into a module's entry: finds it, checks it, and loads a private copy of it.
final class Loader: Sendable {
    private let finder: LibraryFinder
    private let state = Mutex<(folder: PrivateFolder?, generation: Int)>((nil, 0))

    init(finder: LibraryFinder) { self.finder = finder }

    /// Checks a module's library without loading it.
    func check(_ manifest: Manifest) throws(ViperError) {
        let content = [UInt8](try finder.read(manifest.library))
        _ = try LibraryCheck(content, of: manifest.library, for: manifest.sdk)
        tellDifferences(of: manifest, from: content)
    }

    /// Tells in what a manifest's file differs from the one that the library carries.
    private func tellDifferences(of manifest: Manifest, from content: [UInt8]) {
        let library = manifest.library
        guard let packed = try? EmbeddedManifest.read(in: content, named: library) else { return }
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

    /// Checks and loads a module's library. Each call loads it anew, as a generation of its own.
    ///
    /// Only the loading itself takes the main actor's time.
    @concurrent
    func load(_ manifest: Manifest) async throws(ViperError) -> ModuleEntry {
        let library = manifest.library
        let content = try finder.read(library)
        let bytes = [UInt8](content)
        let check = try LibraryCheck(bytes, of: library, for: manifest.sdk)
        tellDifferences(of: manifest, from: bytes)
        let copy = try state.withLock { state throws(ViperError) -> String in
            let folder = if let folder = state.folder { folder } else { try PrivateFolder() }
            state = (folder, state.generation + 1)
            // glibc knows a library by its path: one that was used before would give the earlier library.
            return try folder.write(content, named: "\(state.generation)-\(library)")
        }
        finder.logger.log(.debug, "loads \(library) as \(copy)")
        do {
            return try await DynamicLinker.entry(ofLibrary: copy, symbol: check.entrySymbol)
        } catch let failure as DynamicLinker.Failure {
            throw ViperError(.libraryFailed, "cannot load library", library, cause: failure.cause)
        } catch {
            let cause = (error as? ViperError)?.cause ?? "\(error)"
            let mend = (error as? ViperError)?.mend
            throw ViperError(.entryInvalid, "cannot load library", library, cause: cause, mend: mend)
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
