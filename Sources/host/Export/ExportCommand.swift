import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ViperKit
import ViperRuntime

/// `host export DIR`: writes the host and the root's modules to a folder that runs on other machines.
struct ExportCommand: Command {
    var folder = ""
    var isArchive = false
    var hasSDK = false
    var host = HostOptions()

    static let name = "export"
    static let summary = "Write the host and its modules to a folder that runs on other machines"
    static let example = "export viper-host --archive"
    static let operands = [Operand("DIR", \Self.folder)]
    static let options =
        [
            Option<Self>("--archive", summary: "Write DIR.tar.gz, the same bytes for the same files") {
                $0.isArchive = true
            },
            Option<Self>("--with-sdk", summary: "Add what authors need to build and test modules") {
                $0.hasSDK = true
            },
        ] + HostOptions.inRoot.map { $0.at(\Self.host) }
    static let details =
        """
        The folder contains the host, ViperKit, the Swift libraries that they and the modules need, the modules, their \
        manifests, host.json, and units for systemd. It needs no Swift toolchain, but at least this machine's version of \
        glibc, and the same architecture. The command names the other libraries that the system must provide.
        """

    func output() async throws -> String {
        var folder = folder
        while folder.utf8.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        if isArchive { try NewFiles.checkFree(folder + ".tar.gz", "cannot export to") }
        let tree = try ExportedTree(of: try host.makeHost(), hasSDK: hasSDK)
        try await BlockingWork.run { [folder] () throws(ViperError) in try tree.write(to: folder) }
        if isArchive { try await archive(folder) }
        for name in tree.missing {
            try Terminal.write(
                "host: warning: left out \(printable(name)), whose library is missing\n", to: STDERR_FILENO)
        }
        let needed = tree.needed
        let system = needed.system.sorted { $0.key < $1.key }.map { library, users in
            let others =
                users.subtracting(needed.swift).sorted() + (users.isDisjoint(with: needed.swift) ? [] : ["Swift"])
            return "  \(library), for \(others.joined(separator: ", "))\n"
        }
        return "Wrote \(folder)\(isArchive ? ".tar.gz" : ""): the host, \(counted(tree.moduleCount, "module")), and "
            + "\(needed.swift.count) libraries of Swift\nThe system must provide "
            + "\(Self.libcVersion) or later\(system.isEmpty ? "" : ", and")\n" + system.joined()
    }

    /// The version of the C library, such as `glibc 2.36`.
    private static var libcVersion: String {
        var text = [CChar](repeating: 0, count: 64)
        let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
        return String(decoding: text.prefix(max(0, count - 1)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Replaces the folder by an archive. Equal files make equal archives: in order, without times and owners.
    private func archive(_ folder: String) async throws(ViperError) {
        let (name, target, stage) = (
            pathNames(folder).last ?? folder, folder + ".tar.gz", "\(folder).\(getpid()).export"
        )
        defer { for path in [folder, stage] { try? FileManager.default.removeItem(atPath: path) } }
        var tar = Subprocess(
            "tar",
            [
                "--create", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu",
                "--mode=u=rwX,go=rX", "--use-compress-program=gzip -n", "--force-local", "--file=\(stage)",
                "--directory", parentFolder(of: folder), "--", name,
            ])
        tar.output = .captured(limit: 1 << 16)
        let result = try await tar.run()
        // The archive appears when it is complete.
        if result.ending == .code(0), rename(stage, target) == 0 { return }
        throw ViperError(
            .programFailed, operation: "cannot write", subject: target,
            cause: result.ending.termination(of: "tar") ?? String(decoding: result.errors, as: UTF8.self))
    }
}
