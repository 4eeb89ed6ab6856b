import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

extension ViperHost {
    /// Returns what is wrong with the settings: names that nothing has, values that no module takes, and modules that do not
    /// work with their settings.
    ///
    /// Only the code of a module knows what its values mean. The modules that would run at the start, that guard routes or
    /// that have settings are therefore tried in other processes.
    package func findingsOfSettings() async -> [Finding] {
        await BlockingWork.run { self.checkLibraries() }
        let (snapshot, listing) = (registry.snapshot, ModuleListing(of: self))
        var findings = listing.findings.filter { $0.error.code == .settingInvalid }
        for record in snapshot.modules where isStarted(record) {
            if let refusal = record.state.refusal {
                // The settings that refuse it are found already.
                if refusal.code != .settingInvalid { findings.append(Finding(record.name, nil, refusal)) }
                continue
            }
            do { try await activator.prove(record, in: snapshot) } catch {
                findings.append(Finding(record.name, "module \(record.name)", error))
            }
        }
        return findings
    }

    /// Returns the errors of names in `host.json` that nothing has. Nil if there are none.
    ///
    /// - Parameter disabled: The modules that are disabled now.
    func settingFaults(in snapshot: RegistrySnapshot, _ disabled: [Manifest]) -> [ViperError]? {
        let manifests = snapshot.modules.compactMap(\.manifest)
        // A manifest that cannot be read may have the name.
        if manifests.count < snapshot.modules.count { return nil }
        var settings = configuration.settings
        let all = manifests + disabled
        // A serving host follows what host.json disables and enables.
        settings.disabled.subtract(all.map(\.name))
        settings.disabled.formUnion(disabled.map(\.name))
        let faults = settings.faults(against: all, hostProviders: Settings.hostProviders)
        return faults.isEmpty ? nil : faults
    }

    private func isStarted(_ record: ModuleRecord) -> Bool {
        let (name, settings) = (record.name, configuration.settings)
        return [.serving, .always].contains(record.files.runs) || settings.guards[name] != nil
            || modules.configured.contains(name)
    }
}
