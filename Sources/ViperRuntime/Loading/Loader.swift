import FoundationEssentials
import Synchronization
import ViperKit

/// Turns a library into a module's entry: finds it, checks it, and loads a private copy of it.
final class Loader: Sendable {
    private let finder: LibraryFinder
    private let state = Mutex<(folder: PrivateFolder?, generation: Int)>((nil, 0))

    init(finder: LibraryFinder) { self.finder = finder }

    /// Checks a library without loading it.
    func check(_ library: String) throws(ViperError) {
        _ = try LibraryCheck([UInt8](finder.read(library)), of: library)
    }

    /// Checks and loads a library. Each call loads it anew, as a generation of its own.
    ///
    /// Only the loading itself takes the main actor's time.
    @concurrent
    func load(_ library: String) async throws(ViperError) -> ModuleEntry {
        let content = try finder.read(library)
        let check = try LibraryCheck([UInt8](content), of: library)
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
