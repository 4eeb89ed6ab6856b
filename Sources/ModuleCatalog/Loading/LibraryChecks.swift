import HostSystem
package import ViperKit

/// Checks of libraries without loading them, in the order in which a library is loaded.
///
/// Loading, `check`, `why`, `install` and a serving host use this one sequence. The checks share the open folders and the
/// needed libraries.
package struct LibraryChecks {
    private let loader: Loader
    private let folders: LibraryFolders
    private let links = LinkCheck()
    private let shared: SharedLibraries
    private let needed: NeededLibraries

    /// A library that can be loaded, as far as its content says.
    package struct Checked {
        let content: LibraryContent
        /// The name of the entry function. Nil if the library is a contract.
        let entrySymbol: String?
        /// The errors of promises that a library may break, at its users' risk.
        package let warnings: [ViperError]

        /// The library's content without its packed resources.
        package var bytes: [UInt8] { content.bytes }
    }

    /// What is known of a module whose library is checked.
    package struct Subject {
        let manifest: Manifest
        /// True if the manifest comes from the library itself. Then it may be another one a moment later.
        let isPacked: Bool
        /// True if the module has a process of its own.
        let isAlone: Bool
        /// The contracts that the module uses.
        let contracts: [Manifest]

        package init(_ manifest: Manifest, isPacked: Bool, isAlone: Bool, contracts: [Manifest]) {
            (self.manifest, self.isPacked, self.isAlone) = (manifest, isPacked, isAlone)
            self.contracts = contracts
        }
    }

    /// Creates checks for the libraries in the loader's root.
    ///
    /// - Parameter loaded: What the process that would load the libraries has loaded before.
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    package init(_ loader: Loader, after loaded: LoadedLibraries) throws(ViperError) {
        self.loader = loader
        folders = try LibraryFolders(of: loader.finder.root)
        needed = NeededLibraries(trust: loader.finder.root.trust)
        shared = SharedLibraries(links, after: loaded)
    }

    /// Performs all checks on the library of a module by reading it.
    ///
    /// - Parameter record: Receives the result of each check.
    package func check(_ subject: Subject, _ record: inout CheckRecord) throws(ViperError) -> Checked {
        let (checked, check, needs) = try checkContent(of: subject, &record)
        let manifest = subject.manifest
        // A contract that cannot be read is refused itself.
        let files = subject.contracts.compactMap { contract in
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
                check.file, check.linkage, of: manifest.library,
                with: Dictionary(files.map { ($0.library, $1) }) { first, _ in first })
        }
        shared.note(needs, of: manifest.name)
        return checked
    }

    /// Performs the checks that the dynamic linker does not perform itself.
    func checkBeforeLoading(_ subject: Subject) throws(ViperError) -> Checked {
        var record = CheckRecord()
        return try checkContent(of: subject, &record).checked
    }

    private func checkContent(
        of subject: Subject, _ record: inout CheckRecord
    ) throws(ViperError) -> (checked: Checked, check: LibraryCheck, needs: [SharedLibraries.Need]) {
        let (manifest, library) = (subject.manifest, subject.manifest.library)
        let content = try record.check("it can be read, and only trusted users can change it") {
            () throws(ViperError) in try loader.finder.read(library, in: folders)
        }
        let bytes = content.bytes
        if subject.isPacked {
            try record.check("it still contains the manifest that was read") { () throws(ViperError) in
                try loader.checkPacked(manifest, in: bytes)
            }
        }
        try record.check("Manifests/modules.lock allows it, or is missing") { () throws(ViperError) in
            try loader.finder.lock.check(content.code, of: manifest)
        }
        let check = try LibraryCheck(bytes, of: library, for: manifest.sdk, kind: manifest.kind, &record)
        let contracts = loader.finder.referenced.contracts
        try record.check("its manifest names the contracts that it links") { () throws(ViperError) in
            try ContractCheck.checkNames(check.linkage, of: manifest, among: contracts)
        }
        try record.check("only trusted users can change the libraries that it needs") { () throws(ViperError) in
            try needed.check(check.linkage.needs, of: library, origin: PrivateFolder.exampleOfLibraries)
        }
        let needs = try record.check("the process uses the libraries that it needs, and no others with their names") {
            () throws(ViperError) in
            try shared.check(
                check.linkage.needs, of: manifest, isAlone: subject.isAlone, except: Set(contracts.keys))
        }
        try record.check("TMPDIR may contain programs") { () throws(ViperError) in
            try PrivateFolder.checkPrograms(for: library)
        }
        let warnings = try warnings(check.file, of: library, &record)
        if !subject.isPacked { loader.tellDifferences(of: manifest, from: bytes) }
        return (Checked(content: content, entrySymbol: check.entrySymbol, warnings: warnings), check, needs)
    }

    private func warnings(
        _ file: ElfFile, of library: String, _ record: inout CheckRecord
    ) throws(ViperError) -> [ViperError] {
        let effects: ElfFile.Effects
        do { effects = try file.effects() } catch {
            throw ViperError(
                .libraryInvalid, operation: "cannot load library", subject: library, cause: error.cause,
                fix: "copy the complete library again")
        }
        var warnings: [ViperError] = []
        for check in EffectChecks.strict(effects, of: library) + EffectChecks.lenient(effects, of: library) {
            record.note(check.promise, warning: check.error)
            if let error = check.error { warnings.append(error) }
        }
        return warnings
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
