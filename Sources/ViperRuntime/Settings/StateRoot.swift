import FoundationEssentials
import Glibc
import ViperKit

/// Where modules keep what outlives the process: `--state`, else `$XDG_STATE_HOME/viper-host`, else
/// `~/.local/state/viper-host` (https://specifications.freedesktop.org/basedir-spec).
struct StateRoot: Sendable {
    let path: String

    init(_ settings: Settings) {
        let environment = ProcessInfo.processInfo.environment
        // The specification says that a relative path is to be ignored.
        let named = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = named ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        path = settings.stateFolder ?? base.map { "\($0)/viper-host" } ?? "/nonexistent/no-home"
    }

    /// Where the host's own data provider keeps its files. Made by the provider when there is something to keep.
    var data: String { path + "/data" }

    /// The folder of one module. It is made when it is first asked for.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` when it cannot be made.
    func folder(for module: String) throws(ViperError) -> StateFolder {
        let folder = "\(path)/modules/\(module)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // A folder that was there before may be open to others.
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        } catch {
            throw ViperError(
                .storeFailed, "cannot make folder", folder, cause: systemReason(error),
                mend: "give --state a folder that can be written")
        }
        return StateFolder(path: resolved(folder) ?? folder)
    }
}
