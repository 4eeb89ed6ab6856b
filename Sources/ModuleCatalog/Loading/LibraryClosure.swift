import Glibc
import HostSystem
package import ViperKit

/// The libraries that programs and libraries need, also indirectly, as their ELF headers name them.
package struct LibraryClosure {
    /// The names of Swift's libraries. They are in ``runtimeFolder``.
    package private(set) var swift: Set<String> = []
    /// The names of the system's other libraries, each with the names of the files that need it.
    package private(set) var system: [String: Set<String>] = [:]

    /// The folder of Swift's libraries that this process has loaded. Nil if it has loaded none.
    package let runtimeFolder = DynamicLinker.runtimeFolder

    /// The libraries of glibc, which each program needs.
    private static let glibc: Set<String> = [
        "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
        "ld-linux-aarch64.so.1",
    ]

    /// Finds the libraries that files need.
    ///
    /// - Parameter files: The paths of programs and libraries. They do not count as needed.
    /// - Throws: ``ViperError/Code/libraryInvalid`` if a file cannot be read.
    package init(of files: [String]) throws(ViperError) {
        let given = Set(files.compactMap { pathNames($0).last })
        var waiting = files
        while let path = waiting.popLast() {
            let name = pathNames(path).last ?? path
            for library in try Self.needs(of: path)
            where !given.contains(library) && !Self.glibc.contains(library) {
                let own = runtimeFolder.map { "\($0)/\(library)" }
                if let own, access(own, F_OK) == 0 {
                    if swift.insert(library).inserted { waiting.append(own) }
                } else {
                    system[library, default: []].insert(name)
                }
            }
        }
    }

    private static func needs(of path: String) throws(ViperError) -> [String] {
        do { return try ElfFile.needs(of: try RegularFile(path: path)).libraries } catch {
            let cause = (error as? RegularFile.Failure)?.cause ?? (error as? ElfFile.Problem)?.cause ?? "\(error)"
            throw ViperError(.libraryInvalid, operation: "cannot read", subject: path, cause: cause)
        }
    }
}
