import FoundationEssentials
import Glibc
package import HostSystem
import Synchronization

/// A checked copy of a module's library. Only this process uses the copy. When the value is destroyed, the file is
/// removed, but the loaded code stays in memory.
package final class LibraryCopy: Sendable {
    /// The library's name in the manifest.
    let library: String
    package let path: String
    /// A path to the file that works only in this process. It remains valid if the folder is renamed.
    let ownPath: String
    /// The name of the entry function. Nil if the library is a contract.
    let entrySymbol: String?
    /// The files that are packed into the library. Nil if there are none, or if the manifest declares no resources.
    package let resources: PackedResources?

    private enum Name {
        case content(Data)
        case digest(Digest)
    }

    private let name: Mutex<Name>

    init(
        library: String, path: String, ownPath: String, entrySymbol: String?, content: Data,
        resources: PackedResources? = nil
    ) {
        (self.library, self.path, self.ownPath) = (library, path, ownPath)
        (self.entrySymbol, self.resources) = (entrySymbol, resources)
        name = Mutex(.content(content))
    }

    deinit { unlink(path) }

    /// The digest of the copy's content, which includes the digests of the packed resources. It is computed on first use, because many commands do not need it.
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
