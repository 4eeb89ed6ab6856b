import FoundationEssentials
import Glibc
package import HostSystem
package import ViperKit

/// Where modules keep what outlives the process: `--state`, else `$XDG_STATE_HOME/viper-host`, else
/// `~/.local/state/viper-host` (https://specifications.freedesktop.org/basedir-spec).
package struct StateRoot: Sendable {
    package let path: String
    private let trust: Trust

    /// - Parameter trust: Who may change what is in it.
    package init(_ settings: Settings, trust: Trust = Trust()) {
        self.trust = trust.ofNamed
        let environment = ProcessInfo.processInfo.environment
        // The specification says that a relative path is to be ignored.
        let named = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = named ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        path = settings.stateFolder ?? base.map { "\($0)/viper-host" } ?? "/nonexistent/no-home"
    }

    /// Where reports of quarantined libraries are kept.
    package var quarantine: String { path + "/quarantine" }

    // Made by the provider when there is something to keep.
    private var data: String { path + "/data" }

    /// The folder of one module. It is made when it is first asked for.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if it cannot be made, or ``ViperError/Code/pathUntrusted`` if others can change it.
    package func folder(for module: String) throws(ViperError) -> StateFolder {
        let folder = "\(path)/modules/\(module)"
        if try !isThere(folder, isPrivate: true) {
            do throws(ViperError) { try makeFolder(folder) } catch {
                var error = error
                error.mend = "give --state a folder that can be written"
                throw error
            }
            // Another process may have been faster.
            _ = try isThere(folder, isPrivate: true)
        }
        return StateFolder(path: resolved(folder) ?? folder)
    }

    /// Checks the folder of all modules, as far as it is there.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if others can change it.
    package func check() throws(ViperError) {
        for folder in [path, quarantine] {
            // Where there is nothing yet, nothing is read. What makes a folder there checks it.
            if access(folder, F_OK) == 0 { _ = try isThere(folder) }
        }
    }

    /// The folder of the host's own data provider.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if others can change it.
    package func dataFolder() throws(ViperError) -> String {
        _ = try isThere(data)
        return data
    }

    /// True if a folder is there. The folders above it are checked in any case.
    ///
    /// - Parameter isPrivate: True if nobody else may look into it: what modules keep may be secret.
    private func isThere(_ folder: String, isPrivate: Bool = false) throws(ViperError) -> Bool {
        do {
            let open = try OpenFolder(folder, trust)
            if isPrivate { try trust.checkPrivacy(of: open) }
        } catch {
            if error.isMissing { return false }
            throw error.refusal("cannot keep anything in", folder)
                ?? ViperError(
                    .storeFailed, "cannot open", folder, cause: error.cause,
                    mend: "give --state a folder that can be written")
        }
        return true
    }
}
