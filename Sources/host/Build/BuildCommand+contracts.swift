import FoundationEssentials
import HostSystem
import ModuleCatalog
import ModuleIsolation
import ModuleRuntime
import ViperKit

/// The contracts that are installed in a root.
///
/// `host build` installs a contract's interface in `Plugins/NAME/NAME.swiftinterface`, where NAME is the Swift module.
/// The compiler builds the Swift module from this file, and the next build compares its interface with it.
struct InstalledContracts {
    private let root: Root
    /// The manifests of the modules and contracts in the root.
    let manifests: [Manifest]

    init(in root: Root) throws(ViperError) {
        self.root = root
        manifests = try Catalog(reading: root).manifests
    }

    func library(of contract: Manifest) -> String { "\(root.plugins)/\(contract.library)" }

    func interface(of contract: Manifest) -> String {
        "\(root.plugins)/\(contract.swiftModule)/\(contract.swiftModule).swiftinterface"
    }

    func installed(_ name: String) -> Manifest? {
        manifests.filter { $0.kind == .contract && $0.name == name }.first {
            FileManager.default.fileExists(atPath: library(of: $0))
        }
    }

    /// Returns the contracts that a module uses, in the order of their names.
    ///
    /// - Throws: ``ViperError/Code/contractUnmet`` if a contract is missing or has another version.
    func contracts(of manifest: Manifest) throws(ViperError) -> [Manifest] {
        var contracts: [Manifest] = []
        for (name, needed) in manifest.contracts.sorted(by: { $0.key < $1.key }) {
            let contract = installed(name)
            if let contract, contract.satisfies(needed), isRegularFile(interface(of: contract)) {
                contracts.append(contract)
                continue
            }
            let isComplete = contract.map { isRegularFile(interface(of: $0)) } ?? true
            throw ViperError(
                .contractUnmet, operation: "cannot build", subject: manifest.name,
                cause: "it uses version \(needed) of the contract \"\(name)\", and "
                    + (contract.map { isComplete ? "the root has version \($0.version)" : "its interface is missing" }
                        ?? "the root does not have it"),
                notes: [.init("root", root.path)] + (contract.map { [.init("interface", interface(of: $0))] } ?? []),
                fix: "install \(name) \(needed) with host build, or correct \"contracts\" in the manifest")
        }
        return contracts
    }

    /// Checks that the modules in the root can use a new version of a contract as they use the installed one.
    ///
    /// - Parameter interface: The file with the interface of the new version.
    /// - Throws: `contract-broken` if a declaration changed within a major version or was added within a minor version,
    ///   or if a module can no longer use the contract.
    func checkReplacement(by new: Manifest, _ interface: String) throws(ViperError) {
        guard let old = installed(new.name) else { return }
        let users = manifests.filter { user in
            user.contracts[new.name].map { old.satisfies($0) && !new.satisfies($0) } ?? false
        }
        if !users.isEmpty {
            throw ViperError(
                .contractBroken, operation: "cannot install contract", subject: "\(new.name) \(new.version)",
                cause: "modules in the root use \(old.version), and cannot use \(new.version)",
                notes: users.map {
                    .init("used by", "\($0.name), built for \($0.contracts[new.name]?.description ?? "")")
                },
                fix: "remove these modules first, or give the contract another name and library")
        }
        guard old.interfaceVersion?.major == new.interfaceVersion?.major,
            let before = try? String(contentsOfFile: self.interface(of: old), encoding: .utf8),
            let after = try? String(contentsOfFile: interface, encoding: .utf8)
        else { return }
        let (earlier, later) = (ContractInterface(before), ContractInterface(after))
        let broken = later.incompatibilities(with: earlier)
        // A module could be built for this version and lack the declaration where an earlier build of it is installed.
        let changes =
            !broken.isEmpty || old.interfaceVersion != new.interfaceVersion ? broken : later.additions(to: earlier)
        if changes.isEmpty { return }
        let limit = 10
        throw ViperError(
            .contractBroken, operation: "cannot install contract", subject: "\(new.name) \(new.version)",
            cause: broken.isEmpty
                ? "it adds declarations to the installed version \(old.version), and has no higher minor version"
                : "its declarations are not compatible with the installed version \(old.version)",
            notes: changes.prefix(limit).map { .init($0.kind.rawValue, $0.declaration) }
                + (changes.count > limit ? [.init("and", "\(changes.count - limit) more")] : [])
                + [.init("compared with", self.interface(of: old))],
            fix: broken.isEmpty
                ? "raise the minor version, or remove the installed contract"
                : "keep the declarations, and give each new requirement a default implementation; or raise the major "
                    + "version; or remove the installed contract")
    }
}

extension BuildCommand {
    /// The arguments that compile a contract with library evolution, and write its interface.
    static func contractArguments(_ source: ModuleSource, interface: String) -> [String] {
        [
            "-enable-library-evolution", "-emit-module", "-emit-module-path", "\(interface).swiftmodule",
            "-emit-module-interface-path", interface,
            // The dynamic linker finds the loaded contract by this name.
            "-Xlinker", "-soname=\(source.manifest.library)",
        ]
    }

    /// The arguments that compile a module against the contracts that it uses.
    static func arguments(toUse contracts: [Manifest], _ installed: InstalledContracts, isPackage: Bool) -> [String] {
        contracts.flatMap { contract in
            let folder = parentFolder(of: installed.interface(of: contract))
            let library = installed.library(of: contract)
            return isPackage
                ? ["-Xswiftc", "-I", "-Xswiftc", folder, "-Xlinker", library]
                : ["-I", folder, library]
        }
    }
}
