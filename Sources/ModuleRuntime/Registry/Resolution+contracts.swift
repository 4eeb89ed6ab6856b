import ModuleCatalog
import ViperKit

extension Resolution {
    /// Returns the contract that is used if several manifests describe versions of it. Returns nil if one of them
    /// describes a module.
    ///
    /// A process can load one version. A loaded version stays in use. Otherwise, the highest version is used that has
    /// the lowest major version for which a module was built, so that a new major version does not affect the modules
    /// that use the earlier one.
    func selectedContract(among rivals: [ModuleRecord]) -> ModuleRecord? {
        let manifests = rivals.compactMap(\.manifest)
        guard manifests.count == rivals.count, manifests.allSatisfy({ $0.kind == .contract }) else { return nil }
        if let loaded = rivals.first(where: { $0.generation != nil }) { return loaded }
        let name = rivals[0].name
        let needed = records.filter { $0.state == .discovered }.compactMap { $0.manifest?.contracts[name]?.major }
        let majors = Set(manifests.compactMap { $0.interfaceVersion?.major })
        let major = needed.filter(majors.contains).min()
        let fitting = rivals.filter { major == nil || $0.manifest?.interfaceVersion?.major == major }
        return fitting.max { left, right in
            let (first, second) = (left.manifest?.version ?? "", right.manifest?.version ?? "")
            return Self.isLower(first, second) || first == second && left.file > right.file
        }
    }

    /// Returns the error of a version of a contract that is not used.
    static func superseded(_ record: ModuleRecord, by selected: ModuleRecord) -> ViperError {
        let version = selected.manifest?.version ?? ""
        let isLoaded = selected.generation != nil
        return ViperError(
            .moduleDuplicate, operation: "cannot use contract", subject: record.label,
            cause: "this host uses version \(version) of it" + (isLoaded ? ", which is loaded" : ""),
            notes: [.init("manifest", record.file), .init("version \(version)", selected.file)],
            fix: isLoaded ? "restart the host, or remove one of them" : "remove one of them")
    }

    /// Refuses the modules that were built for another version of a contract than the one that can be used.
    mutating func refuseOtherContracts() {
        let contracts = records.filter { $0.manifest?.kind == .contract && $0.state == .discovered }
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

    private static func isLower(_ left: String, _ right: String) -> Bool {
        func numbers(_ version: String) -> [Int] {
            version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? .max }
        }
        return numbers(left).lexicographicallyPrecedes(numbers(right))
    }
}
