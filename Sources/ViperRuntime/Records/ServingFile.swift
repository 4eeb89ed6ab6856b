import FoundationEssentials
import Glibc
import HostSystem
package import JSONRPC
package import ModuleCatalog
import Synchronization
package import ViperKit

/// The file with the ``ServingRecord`` of this host. It exists while the host serves.
package final class ServingFile: Sendable {
    package let path: String
    private let content: [UInt8]
    /// The end of the name that a file has until it is complete.
    private static let newSuffix = ServingRecord.suffix + ".new"

    /// Writes the file, and removes those of hosts of the same root that were killed.
    ///
    /// - Parameters:
    ///   - root: The root of this host.
    ///   - state: The path of its state folder.
    ///   - socket: The socket of this host. Nil if it has none.
    ///   - folder: The folder of the file, see ``folder(_:_:)``.
    /// - Throws: ``ViperError/Code/pathUntrusted`` if other users can change the folder, or
    ///   ``ViperError/Code/storeFailed``.
    package init(
        of root: Root, state: String, at socket: SocketPath?, in folder: String
    ) throws(ViperError) {
        guard let own = ProcessIdentity.own else { throw storeFailure("cannot write file in", folder, errno: ESRCH) }
        let open: OpenFolder
        do { open = try OpenFolder(folder, Trust()) } catch {
            throw error.refusal("cannot use folder", folder)
                ?? storeFailure("cannot open folder", folder, errno: error.errno)
        }
        let prefix = ServingRecord.prefix(of: root)
        for name in try open.names(ending: ServingRecord.suffix) where name.hasPrefix(prefix) {
            if let other = try? ServingRecord(name, in: open), !other.isRunning { unlink("\(folder)/\(name)") }
        }
        for name in try open.names(ending: Self.newSuffix) where name.hasPrefix(prefix) {
            // The file may be incomplete, so its name tells the process.
            let process = Int32(name.dropFirst(prefix.count).dropLast(Self.newSuffix.count))
            if let process, process > 0, kill(process, 0) != 0, errno == ESRCH { unlink("\(folder)/\(name)") }
        }
        path = "\(folder)/\(prefix)\(own.number)\(ServingRecord.suffix)"
        let record = ServingRecord(state: state, socket: socket?.file, own)
        content = try FoundationJSONCoder().encode(record)
        try write()
    }

    /// Writes the file again if a program that cleans up folders has removed it.
    package func restore() { if access(path, F_OK) != 0, errno == ENOENT { try? write() } }

    private func write() throws(ViperError) {
        // Another name, so that no command reads an incomplete file.
        let new = String(path.dropLast(ServingRecord.suffix.count)) + Self.newSuffix
        try writeSynced(content, to: new)
        if rename(new, path) == 0 { return }
        let failure = storeFailure("cannot write file", path)
        unlink(new)
        throw failure
    }

    /// Removes the file.
    package func remove() { unlink(path) }

    /// Returns the folder in which a host writes its file: that of its service, or that of the standard socket. It may be
    /// missing.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` if the working directory was removed.
    package static func folder(_ environment: [String: String]) throws(ViperError) -> String {
        // systemd lists several folders, separated by colons; see systemd.exec(5).
        if let first = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first, isAbsolute(String(first)) {
            return String(first)
        }
        return try SocketPath.standardFolder(environment)
    }
}
