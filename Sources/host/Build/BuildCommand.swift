import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host build DIR`: compiles a module and installs it into the root. A folder is compiled against this host's
/// ViperKit. A package is compiled against the ViperKit that it depends on.
///
/// The command prepares all files in a hidden folder of the root and packs the manifest and the resources into the
/// library. A separate process then loads the library. If the library does not load, the command fails before it
/// replaces any installed file. The command then installs the library by one rename. If the root has a manifest file of
/// the module, or the module is a contract with an interface, the command replaces that file first. If a step fails, the
/// command reverts the earlier steps. A signal such as SIGTERM ends the command before or after all steps, if they
/// take less than two seconds. If the host is killed between two steps, the new file remains beside the old library.
struct BuildCommand: Command {
    var folder = ""
    var root = RootOptions()

    static let name = "build"
    static let summary = "Compile a module and install it into the root"
    static let example = "build todo-list"
    static let operands = [Operand("DIR", \Self.folder)]
    static let options = RootOptions.all.map { $0.at(\Self.root) }
    static let changesFiles = true
    static let details =
        """
        DIR is a package, or a folder with Swift sources. A package is compiled against the ViperKit that its \
        Package.swift names, and may not use Bundle.module. A folder is compiled against the ViperKit beside this \
        host. clang compiles its C files, which Swift imports through a module.modulemap beside them.

        The manifest of a package is the file in DIR/Manifests. The manifest of a folder is DIR/*.json, or the file \
        in the root's Manifests whose library is libNAME.so, where NAME is the folder's name. The "resources" of the \
        manifest are a folder in DIR.

        A contract is a folder with Swift files. It is compiled with library evolution, and its interface is \
        installed in Plugins/NAME. A module is compiled against the contracts in the root that its manifest names. A \
        contract that changes or removes a declaration needs a higher major version, and one that adds a declaration \
        needs a higher minor version.

        The manifest and the resources are packed into the library. Another process tries to load the library, and \
        compares the types of its route parameters with the manifest, before anything is installed. A file in the \
        root's Manifests is replaced just before the library. If a step fails, or the host is killed while it \
        compiles, the installed module does not change. If the sources do not compile, the exit code is 65.
        """

    func output() async throws -> String {
        let root = try root.find().real
        let environmentOfWorkers = WorkerEnvironment(adding: try Settings(reading: root).workerEnvironment)
        let kit = try KitFolder()
        let source = try ModuleSource(in: folder, root: root)
        let described = try Catalog(reading: root).entry(describing: source.manifest)
        // The host uses a file in Manifests instead of the manifest in the library, unless it is the source's own.
        let listed = described.flatMap { $0.isPacked ? nil : "\(root.path)/\($0.file)" }
            .flatMap { resolved($0) == resolved(source.manifestFile) ? nil : $0 }
        let installed = try InstalledContracts(in: root)
        let contracts = try installed.contracts(of: source.manifest)
        let staging = try PrivateFolder(
            in: root.path, prefix: ".building-", fix: "make the folder writable", trust: root.trust)
        defer { staging.remove() }
        let library = "\(staging.path)/\(source.manifest.library)"
        let interface = "\(staging.path)/\(source.name).swiftinterface"
        let isContract = source.manifest.kind == .contract
        try await compile(
            source, kit,
            isContract
                ? Self.contractArguments(source, interface: interface)
                : Self.arguments(toUse: contracts, installed, isPackage: source.isPackage), as: library)
        if isContract { try installed.checkReplacement(by: source.manifest, interface) }
        let manifest = try await LibraryPacker(
            library: library, manifest: source.manifestFile, resources: try source.resources()
        ).pack().manifest
        let warnings = try checkEffects(ofLibrary: library, named: manifest.library)
        do {
            try await Trial.load(
                library, manifest, with: contracts.map { ($0, installed.library(of: $0)) }, in: staging,
                environment: environmentOfWorkers)
        } catch {
            var error = error
            // The trial has a copy of the manifest.
            error.notes = error.notes.map { $0.label == "manifest" ? .init("manifest", source.manifestFile) : $0 }
            throw error
        }
        var files: [(target: String, staged: String)] = []
        if isContract { files.append((installed.interface(of: manifest), interface)) }
        if let listed {
            let copy = "\(staging.path)/manifest.json"
            try Self.copy(source.manifestFile, to: copy)
            files.append((listed, copy))
        }
        files.append(("\(root.plugins)/\(manifest.library)", library))
        Self.makeFolders(above: "\(root.plugins)/\(manifest.library)")
        try await ModuleVersions(in: root).locked { [files] () throws(ViperError) in
            // Another command may have installed another module or contract since these checks.
            _ = try Catalog(reading: root).entry(describing: manifest)
            if isContract { try InstalledContracts(in: root).checkReplacement(by: manifest, interface) }
            try Self.make(files.map { Replacement(of: $0.target, by: $0.staged) })
        }
        for warning in warnings {
            try Terminal.write("host: warning: \(printable(warning))\n", to: STDERR_FILENO)
        }
        return "Built \(manifest.name) \(manifest.version) as Plugins/\(manifest.library)\(place(root.path))\n"
            + (try lack(of: manifest))
    }

    /// Returns a text that says which other module the installed one still needs. Empty if it needs none, because
    /// modules may be installed in any order.
    ///
    /// - Throws: The error for which the host refuses the installed module.
    private func lack(of manifest: Manifest) throws(ViperError) -> String {
        let host = try HostOptions(root: root).makeHost()
        host.checkLibraries()
        let record = host.registry.snapshot.modules.first { $0.name == manifest.name }
        guard var refusal = record?.state.refusal else { return "" }
        if refusal.code == .requirementUnmet {
            return "It cannot be used yet: \(refusal.cause)\n" + (refusal.fix.map { "  fix: \($0)\n" } ?? "")
        }
        refusal.notes.append(.init("installed", "the module is installed, but the host refuses it"))
        throw refusal
    }

    /// Makes all replacements. If a replacement fails, reverts the earlier replacements and throws the error.
    private static func make(_ replacements: [Replacement]) throws(ViperError) {
        var made: [Replacement] = []
        do throws(ViperError) {
            for replacement in replacements {
                // If the folder cannot be created, the replacement also fails and reports the reason.
                makeFolders(above: replacement.target)
                try replacement.make()
                made.append(replacement)
            }
        } catch {
            for replacement in made.reversed() { replacement.undo() }
            throw error
        }
    }

    /// Creates the missing folders above a path. Only their owner can write to them, whatever the umask allows, because
    /// the host refuses other folders.
    private static func makeFolders(above path: String) {
        var folder = ""
        for name in pathNames(path).dropLast() {
            folder += "/\(name)"
            mkdir(folder, 0o755)
        }
    }

    /// Copies a file. Only the owner can write to the copy, because the host refuses other files.
    static func copy(_ file: String, to copy: String) throws(ViperError) {
        do { try FileManager.default.copyItem(atPath: file, toPath: copy) } catch {
            throw ViperError(.outputFailed, operation: "cannot copy", subject: file, cause: systemReason(error))
        }
        try restrict(copy)
    }

    /// Removes the permissions of other users to write to a file. Leaves a symbolic link as it is.
    private static func restrict(_ path: String) throws(ViperError) {
        var status = stat()
        let isKnown = lstat(path, &status) == 0
        let isLink = isKnown && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        if isLink || isKnown && status.st_mode & (S_IWGRP | S_IWOTH) == 0 { return }
        guard isKnown, chmod(path, status.st_mode & 0o7755) == 0 else {
            throw ViperError(
                .outputFailed, operation: "cannot restrict the permissions of", subject: path,
                cause: systemReason(errno))
        }
    }
}
