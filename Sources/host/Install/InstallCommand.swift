import HostSystem
import ViperKit
import ViperRuntime

/// `host install FILE.so`: installs a library that contains its manifest.
struct InstallCommand: Command {
    var library = ""
    /// The digest that the library must have. Nil to accept each library that only its owner can change.
    var digest: Digest?
    var change = ChangeOptions()

    static let name = "install"
    static let summary = "Install a library that contains its manifest"
    static let example = "install libHello.so --yes"
    static let operands = [Operand("FILE.so", \Self.library)]
    static let options =
        [
            Option<Self>(
                "--sha256", value: "DIGEST",
                summary: "Install FILE.so only if it has this SHA-256, whoever can change it"
            ) { command, text throws(ViperError) in
                guard let digest = Digest(text.lowercased()) else {
                    throw invalidArgument(
                        "--sha256", "expected 64 digits 0 to 9 and a to f",
                        fix: "write the digest as sha256sum prints it")
                }
                command.digest = digest
            }
        ] + ChangeOptions.all.map { $0.at(\Self.change) }
    static let changesFiles = true
    static let details =
        """
        The command copies the library, shows the SHA-256 of the copy, what changes and which modules lose something, and \
        asks. None of its code runs before the answer. The command then tries the copy in another process, and moves it to \
        Plugins by one rename, so that a host finds either the old or the new version, also if the command is killed. The \
        last three versions stay in Plugins/.versions: host rollback uses one of them again. A host that serves the root \
        replaces the module, as after cp.

        If other users can write to FILE.so or to a folder above it, the command needs --sha256. With --yes, it also needs \
        it for a file that another user owns. DIGEST is that of sha256sum or of host lock.

        A file in Manifests that describes the module would take precedence. The command then installs nothing.
        """

    func output() async throws -> String {
        try await change.output(asking: "Install it?") { change in
            "Installed \(change.module) \(change.to ?? "") as Plugins/\(change.library)"
        } _: { installation, isWanted throws(ViperError) in
            try await installation.install(library, as: digest, isAsked: !change.isConfirmed, isWanted)
        }
    }
}
