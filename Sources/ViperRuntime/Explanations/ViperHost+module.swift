import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

extension ViperHost {
    /// Explains a module: its files, the checks of its library, its services and routes, its use and its state. This method
    /// reads the library, so it blocks.
    ///
    /// - Parameter numbers: The statistics of the module. Nil if it was not used.
    func explanation(
        of record: ModuleRecord, in snapshot: RegistrySnapshot, _ numbers: ModuleStatistics?
    ) -> Explanation {
        var explanation = Explanation(.module, record.name, state: record.state.name)
        for place in places(in: snapshot) { explanation.add("looked in", place) }
        explanation.add(
            "manifest",
            record.files.entry.isPacked
                ? "in the library itself, because Manifests has no file for this module"
                : "\(record.file); a file in Manifests comes before a manifest in a library")
        if let manifest = record.manifest {
            explanation.add("version", "\(manifest.version) for ViperKit \(manifest.sdk)")
            explanation.add("library", place(of: manifest.library))
            for result in checkResults(of: manifest, isPacked: record.files.entry.isPacked) {
                explanation.add(result.isWarning ? "warning" : "check", result.promise, result.error)
            }
            addServices(of: record, manifest, snapshot, to: &explanation)
            addRoutes(of: record, manifest, snapshot, to: &explanation)
            addUse(of: record, manifest, numbers, to: &explanation)
        }
        for earlier in knownVersions.withLock({ $0.all[record.name] ?? [] }) {
            explanation.add(
                "earlier version",
                earlier.version + (earlier.reason.map { ", which is not used, because it \($0)" } ?? ""))
        }
        if let crash = lastCrashes.withLock({ $0[record.name] }) {
            explanation.add("last crash", "a host \(crash.description) at \(crash.when)")
        }
        var entry = ModuleListing.Entry(record, in: snapshot, lastCrash: nil)
        entry.resourceFault = record.manifest.flatMap { ModuleResources.fault(of: $0, in: root) }
        let findings = entry.findings
        for finding in findings where !explanation.steps.contains(where: { $0.error == finding.error }) {
            explanation.add("problem", finding.error.summary, finding.error)
        }
        let isRefused = explanation.steps.contains { $0.error != nil && $0.label == "check" }
        if record.state == .resolved, findings.isEmpty, isRefused {
            explanation.state += "; it is refused when it is used"
        }
        return explanation
    }

    /// Names the file of a library, and says why it is this one.
    private func place(of library: String) -> String {
        let (dropped, bundled) = ("\(root.plugins)/\(library)", "\(root.executableFolder)/\(library)")
        switch (access(dropped, F_OK) == 0, access(bundled, F_OK) == 0) {
        case (true, true): return "\(dropped); Plugins comes before the host's folder, which has it too"
        case (true, false): return dropped
        case (false, true): return "\(bundled), the host's folder, because Plugins does not have it"
        case (false, false): return "\(library) is neither in \(root.plugins) nor in \(root.executableFolder)"
        }
    }

    private func addServices(
        of record: ModuleRecord, _ manifest: Manifest, _ snapshot: RegistrySnapshot, to explanation: inout Explanation
    ) {
        let (providers, choices) = (snapshot.providers(for: record), snapshot.choices(of: record))
        let (withheld, services) = (snapshot.withheldServices(from: record), snapshot.services)
        for service in manifest.requires + manifest.optional {
            let isOptional = manifest.optional.contains(service)
            let (label, error) = (isOptional ? "may use" : "needs", withheld[service])
            if let provider = providers[service] {
                let reason =
                    choices[service] != nil || snapshot.isChosen(service) ? ", which the settings choose" : ""
                explanation.add(label, "\(service) from \(provider.name) \(provider.state.name)\(reason)")
            } else if let error {
                explanation.add(label, "\(service), which is withheld: \(error.cause)", error)
            } else if snapshot.hostServices.contains(service) || choices[service] != nil {
                let own = choices[service] ?? services.first { $0.name == service }?.selected ?? "host"
                explanation.add(label, "\(service) from \(own == "host" ? "the host" : "the host's \(own)")")
            } else {
                explanation.add(label, "\(service), which has no usable provider")
            }
        }
        for (name, version) in manifest.contracts.sorted(by: { $0.key < $1.key }) {
            let contract = snapshot.modules.first { $0.name == name && $0.manifest?.kind == .contract }
            let found = contract.map { "\($0.label), \($0.state.name)" } ?? "not installed"
            explanation.add("contract", "\(name) \(version): \(found)")
        }
        for service in services where service.providers.contains(record.name) {
            let users = service.consumers + service.collectors
            explanation.add(
                "provides", service.name + (users.isEmpty ? "" : " for \(users.joined(separator: ", "))"))
        }
    }

    private func addRoutes(
        of record: ModuleRecord, _ manifest: Manifest, _ snapshot: RegistrySnapshot, to explanation: inout Explanation
    ) {
        for route in manifest.routes {
            let users = snapshot.modules.filter { $0.manifest?.opens.contains(route.name) == true }.map(\.name)
            explanation.add(
                "route", route.name + (users.isEmpty ? "" : ", opened by \(users.joined(separator: ", "))"))
        }
    }

    private func addUse(
        of record: ModuleRecord, _ manifest: Manifest, _ numbers: ModuleStatistics?, to explanation: inout Explanation
    ) {
        let process = numbers?.process.map { " \($0)" } ?? ""
        explanation.add(
            "process", activator.codes.isIsolated(manifest) ? "a worker\(process) of its own" : "the host's")
        guard let numbers, let generation = numbers.generation else { return }
        explanation.add(
            "used",
            "generation \(generation): \(numbers.calls) calls, \(numbers.failures) failed, "
                + "\(numbers.openScenes) open scenes")
    }
}
