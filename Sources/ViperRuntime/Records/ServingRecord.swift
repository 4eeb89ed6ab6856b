import FoundationEssentials
import Glibc
import HostSystem
import JSONRPC
import ModuleCatalog
import ViperKit

/// A record of a host that serves a root, by which commands on the same root find its quarantine.
///
/// A record is a file in the folder of the service or of the standard socket. Its name contains the digest of the root's
/// path and the process ID of the host.
struct ServingRecord: Codable, Sendable {
    /// The absolute path of the host's state folder.
    var state: String
    /// The absolute path of the host's socket. Nil if it has none.
    var socket: String?
    var process: Int32
    /// The start of the process, see ``ProcessIdentity``.
    var start: UInt64

    private static let limit = 1 << 16
    static let suffix = ".json"

    /// The start of the names of all records of a root.
    static func prefix(of root: Root) -> String { "viper-host-\(Digest(of: Data((root.real.path).utf8)))-" }

    /// Reads a record. The folder must comply with the rules of ``Trust``.
    init(_ name: String, in folder: OpenFolder) throws {
        try self.init(folder.file(name, followsLink: false), at: "\(folder.path)/\(name)")
    }

    /// Reads a record from an open file.
    init(_ file: borrowing RegularFile, at path: String) throws {
        let data = try file.read(limit: Self.limit)
        let purpose = JSONText.Purpose(code: .jsonInvalid, operation: "cannot read")
        self = try JSONText(name: path, data: data, purpose: purpose).decode(Self.self)
    }

    init(state: String, socket: String?, _ process: ProcessIdentity) {
        (self.state, self.socket) = (state, socket)
        (self.process, start) = (process.number, process.start)
    }

    var isRunning: Bool { ProcessIdentity(number: process, start: start).isRunning }

    /// Returns true if the process of the record runs as this user and holds the socket.
    func isHeld(by user: UInt32, _ trust: Trust) -> Bool {
        guard let socket, isAbsolute(socket), let holder = (try? SocketPath(socket))?.holder(trust) else {
            return false
        }
        return holder.process == process && holder.user == user
    }
}
