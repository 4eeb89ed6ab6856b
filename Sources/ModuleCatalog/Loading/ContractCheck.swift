import HostSystem
import ViperKit

/// A check that the contracts of a module define the declarations that the module's library needs.
///
/// The dynamic linker reports only the mangled name of the first missing symbol. This check names the declarations, and
/// says which of the two libraries must change.
struct ContractCheck {
    /// A contract, and a closure that returns true if its library defines a symbol.
    typealias Contract = (manifest: Manifest, defines: (String) -> Bool)

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
