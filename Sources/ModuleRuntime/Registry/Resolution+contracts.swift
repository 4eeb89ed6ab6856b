import ModuleCatalog
import ViperKit

extension Resolution {
    /// Refuses the modules that were built for another version of a contract than the one that can be used.
    mutating func refuseOtherContracts() {
        let contracts = records.filter { $0.manifest?.kind == .contract && $0.state == .discovered }
        if contracts.isEmpty { return }
        let byName = Dictionary(contracts.map { ($0.name, $0) }) { first, _ in first }
        refuse { record, manifest in
            let unmet = manifest.contracts.sorted { $0.key < $1.key }.first { name, needed in
                byName[name]?.manifest.map { !$0.satisfies(needed) } ?? false
            }
            guard let (name, needed) = unmet, let contract = byName[name], let installed = contract.manifest else {
                return nil
            }
            let isLater = installed.interfaceVersion?.major == needed.major
            let isLoaded = contract.generation != nil
            return ViperError(
                .contractUnmet, operation: "cannot use module", subject: manifest.name,
                cause: "it was built for version \(needed) of the contract \"\(name)\", and this host "
                    + "\(isLoaded ? "has loaded" : "has") version \(installed.version)",
                notes: [.init("manifest", record.file), .init("contract", contract.file)],
                fix: isLater
                    ? "install version \(needed) or a later minor version of \(name)"
                        + (isLoaded ? ", and restart the host" : "")
                    : "build the module against \(name) \(installed.interfaceVersion?.description ?? "")")
        }
    }
}
