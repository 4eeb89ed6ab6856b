import CSystem
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
    static let changesFiles = true
    static let details =
        """
        The folder contains the host, ViperKit, the Swift libraries that they and the modules need, the modules, their \
        manifests, host.json, and units for systemd. It needs no Swift toolchain, but at least this machine's version of \
        glibc, and the same architecture. The command names the other libraries that the system must provide.
        """

    func check() throws(ViperError) {
        if let last = pathNames(folder).last, last != ".", last != ".." { return }
        throw invalidArgument(folder, "it is not the name of a new folder", fix: "write a name such as viper-host")
    }

    func output() async throws -> String {
        let name = pathNames(folder).last ?? ""
        let parent = parentFolder(of: "/" + pathNames(try absolute(folder)).joined(separator: "/"))
        let folder = "\(parent)/\(name)"
        let target = isArchive ? folder + ".tar.gz" : folder
        try NewFiles.checkFree(target, "cannot export to")
        let host = try host.makeHost()
        let tree = try await BlockingWork.run { [hasSDK] () throws(ViperError) in
            let tree = try ExportedTree(of: host, hasSDK: hasSDK)
            try tree.checkOutside(folder)
            return tree
        }
        // The folder or archive appears when it is complete. What a killed command has left is removed by the next one.
        let stage = try PrivateFolder(
            in: parent, prefix: ".\(name).export-", fix: "choose another folder", trust: host.trust)
        defer { stage.remove() }
        let staged = "\(stage.path)/\(name)"
        let omissions = try await BlockingWork.run { () throws(ViperError) in
            try tree.write(to: PortableFolder(staged))
        }
        if isArchive { try await archive(staged) }
        try await BlockingWork.run { [isArchive] () throws(ViperError) in
            try Self.publish(isArchive ? staged + ".tar.gz" : staged, as: target)
        }
        for omission in omissions {
            try Terminal.write("host: warning: left out \(printable(omission))\n", to: STDERR_FILENO)
        }
        let needed = tree.needed
        let system = needed.system.sorted { $0.key < $1.key }.map { library, users in
            let others =
                users.subtracting(needed.swift).sorted() + (users.isDisjoint(with: needed.swift) ? [] : ["Swift"])
            return "  \(library), for \(others.joined(separator: ", "))\n"
        }
        let written = String(self.folder.reversed().drop { $0 == "/" }.reversed()) + (isArchive ? ".tar.gz" : "")
        return "Wrote \(printable(written)): the host, "
            + "\(counted(tree.moduleCount, "module")), and \(needed.swift.count) libraries of Swift\n"
            + "The system must provide \(Self.libcVersion) or later\(system.isEmpty ? "" : ", and")\n" + system.joined()
    }

    /// The version of the C library, such as `glibc 2.36`.
    private static var libcVersion: String {
        var text = [CChar](repeating: 0, count: 64)
        let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
        return String(decoding: text.prefix(max(0, count - 1)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes an archive beside a folder. Equal files make equal archives: in order, without times and owners.
    private func archive(_ folder: String) async throws(ViperError) {
        var tar = Subprocess(
            "tar",
            [
                "--create", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu",
                "--use-compress-program=gzip -n", "--file=-", "--directory", parentFolder(of: folder), "--",
                pathNames(folder).last ?? folder,
            ])
        // Variables such as GZIP and TAR_OPTIONS change the bytes.
        tar.environment = ["GZIP": "", "TAR_OPTIONS": "", "LC_ALL": "C"]
        // A tar that outlives this command creates no file in the folder, which the next command may be removing.
        let archive = open("\(folder).tar.gz", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard archive >= 0 else { throw PortableFolder.failure(folder + ".tar.gz", errno) }
        defer { close(archive) }
        tar.output = .written(to: archive, limit: 1 << 16)
        let result = try await tar.run()
        guard result.ending == .code(0) else {
            throw ViperError(
                .programFailed, operation: "cannot write", subject: folder + ".tar.gz",
                cause: result.ending.termination(of: "tar") ?? String(decoding: result.errors, as: UTF8.self))
        }
    }

    /// Moves a folder or file to its name. Never replaces another one.
    private static func publish(_ staged: String, as target: String) throws(ViperError) {
        // The umask limits the mode of the archive, but not that of chmod.
        chmod(staged, isFolder(staged) ? 0o755 : 0o644)
        // RENAME_NOREPLACE is 1; see renameat2(2).
        if renameat2(AT_FDCWD, staged, AT_FDCWD, target, 1) == 0 { return }
        // Some file systems do not have the flag.
        if errno == EINVAL, access(target, F_OK) != 0, rename(staged, target) == 0 { return }
        let number = errno
        try NewFiles.checkFree(target, "cannot export to")
        throw PortableFolder.failure(target, number)
    }
}
