import HostSystem
package import ViperKit

/// Checks of several libraries without loading them. The checks share the open folders and the needed libraries.
package struct LibraryChecks {
    private let loader: Loader
    private let folders: LibraryFolders
    private let links = LinkCheck()
    private let needed: NeededLibraries

    /// Creates checks for the libraries in the loader's root.
    ///
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    package init(_ loader: Loader) throws(ViperError) {
        self.loader = loader
        folders = try LibraryFolders(of: loader.finder.root)
        needed = NeededLibraries(trust: loader.finder.root.trust)
    }

    /// Checks the library of a module by reading it.
    ///
    /// - Parameters:
    ///   - isPacked: True if the manifest comes from the library itself. Then it may be another one a moment later.
    ///   - contracts: The contracts that the module uses.
    ///   - record: Receives the result of each check.
    /// - Returns: The library's content without its packed resources.
    @discardableResult
    package func check(
        _ manifest: Manifest, isPacked: Bool, with contracts: [Manifest] = [], _ record: inout CheckRecord
    ) throws(ViperError) -> [UInt8] {
        let library = manifest.library
        let content = try record.check("it can be read, and only trusted users can change it") {
            () throws(ViperError) in try loader.finder.read(library, in: folders).bytes
        }
        try record.check("Manifests/modules.lock allows it, or is missing") { () throws(ViperError) in
            try loader.finder.lock.check(content, of: manifest)
        }
        let check = try LibraryCheck(content, of: library, for: manifest.sdk, kind: manifest.kind, &record)
        try record.check("its manifest names the contracts that it links") { () throws(ViperError) in
            try ContractCheck.checkNames(check.linkage, of: manifest, among: loader.finder.referenced.contracts)
        }
        try record.check("only trusted users can change the libraries that it needs") { () throws(ViperError) in
            try needed.check(check.linkage.needs, of: library, origin: nil)
        }
        // A contract that cannot be read is refused itself.
        let files = contracts.compactMap { contract in
            (try? loader.finder.read(contract.library, in: folders)).flatMap { try? ElfFile($0.bytes) }
                .map { (contract, $0) }
        }
        if !files.isEmpty {
            try record.check("its contracts have all declarations that it needs") { () throws(ViperError) in
                try ContractCheck.check(
                    check.linkage.undefined, of: manifest,
                    against: files.map { contract, file in (contract, { (try? file.defines($0)) ?? true }) })
            }
        }
        try record.check("the libraries and symbols that it needs are there") { () throws(ViperError) in
            try links.check(
                check.file, check.linkage, of: library,
                with: Dictionary(files.map { ($0.library, $1) }) { first, _ in first })
        }
        if !isPacked { loader.tellDifferences(of: manifest, from: content) }
        return content
    }

    /// Checks that no untrusted user can change the library of a module, without reading it. Ignores a missing library.
    package func checkTrust(_ manifest: Manifest) throws(ViperError) {
        for folder in [folders.plugins, try folders.executable.get()] {
            guard let folder else { continue }
            do { return try folder.checkTrust(manifest.library) } catch {
                if let refusal = error.refusal("cannot load library", manifest.library) { throw refusal }
                if !error.isMissing { return }
            }
        }
    }
}
