import HostSystem
import ViperKit

/// A check that the contracts of a module define the declarations that the module's library needs.
///
/// The dynamic linker reports only the mangled name of the first missing symbol. This check names the declarations, and
/// says which of the two libraries must change.
struct ContractCheck {
    /// A contract, and a closure that returns true if its library defines a symbol.
    typealias Contract = (manifest: Manifest, defines: (String) -> Bool)

    /// Throws if a library needs a contract that its manifest does not name. Its module would work only if another
    /// module had loaded the contract before.
    ///
    /// - Parameter contracts: The contracts in the root, keyed by the name of the library.
    /// - Throws: ``ViperError/Code/libraryIncompatible``.
    static func checkNames(
        _ linkage: ElfFile.Linkage, of manifest: Manifest, among contracts: [String: Manifest]
    ) throws(ViperError) {
        for needed in linkage.needs.libraries {
            guard let contract = contracts[needed], manifest.contracts[contract.name] == nil else { continue }
            let version = contract.interfaceVersion?.description ?? contract.version
            throw ViperError(
                .libraryIncompatible, operation: "cannot load library", subject: manifest.library,
                cause: "it links \(needed) of the contract \"\(contract.name)\", which its manifest does not name",
                fix: "write \"contracts\": { \"\(contract.name)\": \"\(version)\" } in the manifest")
        }
    }

    /// Throws if a declaration is missing.
    ///
    /// - Parameters:
    ///   - undefined: The symbols that the module's library needs.
    ///   - manifest: The module's manifest.
    ///   - contracts: The contracts that the module uses.
    /// - Throws: ``ViperError/Code/libraryIncompatible``.
    static func check(
        _ undefined: [String], of manifest: Manifest, against contracts: [Contract]
    ) throws(ViperError) {
        for (contract, defines) in contracts {
            let missing = ModuleSymbols(of: contract.swiftModule).missing(undefined, isDefined: defines)
            guard !missing.isEmpty, let needed = manifest.contracts[contract.name] else { continue }
            let (name, version) = (contract.name, contract.version)
            let lack = "it needs declarations that are missing in the contract \(name) \(version), "
            // A contract of the same version was the one to build against. A later one must still have everything that
            // its earlier minor versions had.
            let isLater = contract.interfaceVersion != needed
            throw ViperError(
                .libraryIncompatible, operation: "cannot load library", subject: manifest.library,
                cause: lack
                    + (isLater
                        ? "although the module was built for \(needed), and a minor version may only add declarations"
                        : "although its manifest says that it was built for \(needed)"),
                notes: missing,
                fix: isLater
                    ? "restore the declarations in \(name), and install it again"
                    : "build the module against \(name) \(needed), or write the version that has them in \"contracts\""
            )
        }
    }
}
