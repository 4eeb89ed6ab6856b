import FoundationEssentials
import Glibc
package import HostSystem
import Synchronization

/// A checked copy of a module's library that belongs to this process alone. The file goes with the value; what is loaded from it
/// stays in memory.
package final class LibraryCopy: Sendable {
    /// The library's name, as the manifest has it.
    let library: String
    package let path: String
    /// The path by which this process reaches the file, also if its folder is called otherwise by now.
    let ownPath: String
    /// The C name of the library's entry.
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

    /// What its content is known by. Made when it is first asked for: most who run a module once never do.
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
