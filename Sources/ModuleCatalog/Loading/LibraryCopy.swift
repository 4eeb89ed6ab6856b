import FoundationEssentials
import Glibc
package import HostSystem
import Synchronization

/// A checked copy of a module's library that only this process uses. The file is removed when the value is destroyed;
/// the loaded code stays in memory.
package final class LibraryCopy: Sendable {
    /// The name of the library in the manifest.
    let library: String
    package let path: String
    /// The path by which this process reaches the file, even if the folder was renamed.
    let ownPath: String
    let entrySymbol: String

    private enum Name {
        case content(Data)
        case digest(Digest)
    }

    private let name: Mutex<Name>

    init(library: String, path: String, ownPath: String, entrySymbol: String, content: Data) {
        (self.library, self.path, self.ownPath) = (library, path, ownPath)
        self.entrySymbol = entrySymbol
        name = Mutex(.content(content))
    }

    deinit { unlink(path) }

    /// The digest of the content. It is computed on first use, because most one-shot commands do not need it.
    package var digest: Digest {
        name.withLock { name in
            switch name {
            case .digest(let digest): return digest
            case .content(let content):
                let digest = Digest(of: content)
                name = .digest(digest)
                return digest
            }
        }
    }
}
