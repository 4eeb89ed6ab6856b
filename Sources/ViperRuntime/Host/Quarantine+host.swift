package import ModuleCatalog
package import ModuleIsolation
package import ViperKit

extension Quarantine {
    /// Creates a quarantine for a command. It has the quarantines of the hosts that serve the root, too.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if other users can change the state folder.
    package convenience init(_ configuration: ViperHost.Configuration) throws(ViperError) {
        try configuration.state.check()
        self.init(unchecked: configuration, besidesServing: .warning)
    }

    /// Creates a quarantine for a host whose state folder was already checked.
    ///
    /// - Parameter level: The level at which is logged that a quarantine of a host that serves the root cannot be read. Nil
    ///   to have none of these quarantines.
    convenience init(unchecked configuration: ViperHost.Configuration, besidesServing level: LogLevel?) {
        let option = configuration.settings.stateFolder.map { " --state \($0)" } ?? ""
        let state = configuration.state
        let serving = level.map { level in
            ServingQuarantines(of: configuration.root, besides: state, logger: configuration.logger, at: level)
        }
        self.init(folder: state.quarantine, in: state, option: option, logger: configuration.logger) {
            serving?.all() ?? []
        }
    }

    /// Returns the report about a library. Returns nil if the library is not quarantined or cannot be read. This method
    /// blocks.
    func report(ofLibrary path: String) -> QuarantineReport? {
        guard let digest = try? libraryDigest(ofFile: path) else { return nil }
        return report(for: digest)
    }
}

extension ViperHost.Configuration {
    package var state: StateRoot { StateRoot(settings, trust: root.trust) }
}
