import Glibc

/// A checked copy of a module's library that belongs to this process alone. The file goes with the value; what is loaded from it
/// stays in memory.
final class LibraryCopy: Sendable {
    /// The library's name, as the manifest has it.
    let library: String
    let path: String
    /// The C name of the library's entry.
    let entrySymbol: String
    /// What its content is known by, where that was asked for.
    let digest: Digest?

    init(library: String, path: String, entrySymbol: String, digest: Digest?) {
        (self.library, self.path, self.entrySymbol, self.digest) = (library, path, entrySymbol, digest)
    }

    deinit { unlink(path) }
}
