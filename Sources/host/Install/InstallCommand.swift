import ViperKit
import ViperRuntime

/// `host install FILE.so`: installs a library that contains its manifest.
struct InstallCommand: Command {
    var library = ""
    var change = ChangeOptions()

    static let name = "install"
    static let summary = "Install a library that contains its manifest"
    static let example = "install libHello.so --yes"
    static let operands = [Operand("FILE.so", \Self.library)]
    static let options = ChangeOptions.all.map { $0.at(\Self.change) }
    static let details =
        """
        The command tries the library in another process, shows what changes, and asks. It then moves a copy to Plugins \
        by one rename, so that a host finds either the old or the new version, also if the command is killed. The last \
        three versions stay in Plugins/.versions: host rollback uses one of them again. A host that serves the root \
        replaces the module, as after cp.

        A file in Manifests that describes the module would take precedence. The command then installs nothing.
        """

    func output() async throws -> String {
        try await change.output(asking: "Install it?") { change in
            "Installed \(change.module) \(change.to ?? "") as Plugins/\(change.library)"
        } _: { installation, isWanted throws(ViperError) in
            try await installation.install(library, isWanted)
        }
    }
}
