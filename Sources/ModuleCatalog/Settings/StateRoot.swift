import Glibc
package import HostSystem
package import ViperKit

/// The folder in which modules keep data that outlives the process. The option `--state` sets it. The default is
/// `$XDG_STATE_HOME/viper-host`, or `~/.local/state/viper-host` if the variable is unset; see
/// https://specifications.freedesktop.org/basedir-spec.
package struct StateRoot: Sendable {
    package let path: String
    private let trust: Trust

    /// Creates a value that describes the state folder. This initializer does not access the file system.
    ///
    /// - Parameters:
    ///   - settings: The host's settings.
    ///   - trust: The rules on who may change the folder's content.
    package init(_ settings: Settings, trust: Trust = Trust()) {
        self.trust = trust.ofNamed
        path =
            settings.stateFolder ?? userFolder("XDG_STATE_HOME", orHome: ".local/state") ?? "/nonexistent/no-home"
    }

    /// The folder that contains the reports about quarantined libraries.
    package var quarantine: String { path + "/quarantine" }

    /// The folder that contains the reports about crashes of hosts.
    package var crashes: String { path + "/crashes" }

    // The data provider creates this folder when it first stores data.
    private var data: String { path + "/data" }

    /// Returns a module's state folder. Creates the folder if it is missing.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the folder cannot be created. ``ViperError/Code/pathUntrusted`` if
    ///   other users can change or read it.
    package func folder(for module: String) throws(ViperError) -> StateFolder {
        let folder = "\(path)/modules/\(module)"
        if try !isThere(folder, isPrivate: true) {
            do throws(ViperError) { try makeFolder(folder) } catch {
                var error = error
                error.fix = "give --state a writable folder"
                throw error
            }
            // Another process may have created the folder first, or may have removed it again.
            guard try isThere(folder, isPrivate: true) else {
                throw ViperError(
                    .storeFailed, operation: "cannot open folder", subject: folder,
                    cause: "it is missing although the host has created it",
                    fix: "retry, or give --state another folder")
            }
        }
        return StateFolder(path: resolved(folder) ?? folder)
    }

    /// Checks the state folder, the quarantine folder and the folder of crash reports, if they exist.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if other users can change them.
    package func check() throws(ViperError) {
        if access(path, F_OK) == 0, !isFolder(path) {
            throw ViperError(
                .storeFailed, operation: "cannot open folder", subject: path, cause: "it is not a folder",
                fix: "give --state a folder, or the path of a new one")
        }
        for folder in [path, quarantine, crashes] {
            // A missing folder needs no check, because the code that creates the folder also checks it.
            if access(folder, F_OK) == 0 { _ = try isThere(folder) }
        }
    }

    /// Returns the folder for the host's data provider. The folder may not exist yet.
    ///
    /// - Throws: ``ViperError/Code/pathUntrusted`` if other users can change it.
    package func dataFolder() throws(ViperError) -> String {
        _ = try isThere(data)
        return data
    }

    /// Checks a folder and the folders above it. Returns true if the folder exists.
    ///
    /// - Parameters:
    ///   - folder: The folder's absolute path.
    ///   - isPrivate: True if no other user may read the folder, because the data of modules may be secret.
    private func isThere(_ folder: String, isPrivate: Bool = false) throws(ViperError) -> Bool {
        do {
            let open = try OpenFolder(folder, trust)
            if isPrivate { try trust.checkPrivacy(of: open) }
        } catch {
            if error.isMissing { return false }
            throw error.refusal("cannot use folder", folder)
                ?? ViperError(
                    .storeFailed, operation: "cannot open folder", subject: folder, cause: error.cause,
                    fix: "give --state a writable folder")
        }
        return true
    }
}
