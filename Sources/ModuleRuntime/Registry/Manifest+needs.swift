package import ModuleCatalog

/// Contracts are wired like services: a contract is the provider, and the modules that use it are the consumers. The
/// names of contracts get a prefix with a space, so they never equal the name of a service.
extension Manifest {
    fileprivate static let contractMark = "contract "

    /// The names of the services that the module requires and of the contracts that it uses.
    var needs: [String] {
        contracts.isEmpty ? requires : requires + contracts.keys.sorted().map { Self.contractMark + $0 }
    }

    /// The names of the services that the module provides, or of the contract.
    var offers: [String] { kind == .contract ? [Self.contractMark + name] : provides }

    /// Returns the contract's name in a name that ``needs`` or ``offers`` contains. Returns nil if it is a service.
    static func contract(in name: String) -> String? {
        name.hasPrefix(contractMark) ? String(name.dropFirst(contractMark.count)) : nil
    }
}

extension RegistrySnapshot {
    /// Returns the contracts that a module uses and that can be used.
    package func contracts(of manifest: Manifest) -> [ModuleRecord] {
        manifest.contracts.keys.sorted().compactMap { name in
            offers.offers[Manifest.contractMark + name].map { modules[$0.first] }
        }
    }
}
