import ModuleCatalog
package import ModuleIsolation
package import ViperKit

extension Quarantine {
    /// Creates a quarantine for a host.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if other users can change the state folder.
    package convenience init(_ configuration: ViperHost.Configuration) throws(ViperError) {
        try configuration.state.check()
        self.init(unchecked: configuration)
    }

    /// Creates a quarantine for a host whose state folder was already checked.
    convenience init(unchecked configuration: ViperHost.Configuration) {
        let option = configuration.settings.stateFolder.map { " --state \($0)" } ?? ""
        let state = configuration.state
        self.init(folder: state.quarantine, in: state, option: option, logger: configuration.logger)
    }

    /// Returns the report about a library. Returns nil if the library is not quarantined or cannot be read. This method
    /// blocks.
    func report(ofLibrary path: String) -> QuarantineReport? {
        guard let digest = try? libraryDigest(ofFile: path) else { return nil }
        return report(for: digest)
    }
}

extension ViperHost.Configuration {
    var state: StateRoot { StateRoot(settings, trust: root.trust) }
}
