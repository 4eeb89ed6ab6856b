import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import JSONRPC

struct ServerSocketTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func number(of file: String) -> ino_t {
        var status = stat()
        return lstat(file, &status) == 0 ? status.st_ino : 0
    }

    @Test("A socket of another program stays, also while its queue of connections is full", arguments: [false, true])
    func otherProgram(isFull: Bool) throws {
        let path = try SocketPath("\(folder.path)/socket")
        let listening = try SocketPath.socket()
        defer { close(listening) }
        try #require(path.withAddress { bind(listening, $0, $1) } == 0 && listen(listening, 0) == 0)
        var clients: [Int32] = []
        defer { clients.forEach { close($0) } }
        while isFull {
            clients.append(try SocketPath.socket(flags: Int32(SOCK_NONBLOCK.rawValue)))
            let result = path.connect(clients[clients.count - 1])
            if result == EAGAIN { break }
            try #require(result == 0)
        }
        let before = number(of: path.path)
        let error = try #require(throws: ViperError.self) { try ServerSocket(at: path, log: { _ in }) }
        #expect(error.code == .socketFailed)
        #expect(error.cause.hasPrefix("another program already listens on it"), "\(error)")
        #expect(number(of: path.path) == before)
    }

    @Test("A socket without a listener is replaced")
    func stale() throws {
        let path = try SocketPath("\(folder.path)/socket")
        let abandoned = try SocketPath.socket()
        try #require(path.withAddress { bind(abandoned, $0, $1) } == 0)
        close(abandoned)
        let socket = try ServerSocket(at: path, log: { _ in })
        close(try path.connect())
        socket.close()
        #expect(number(of: path.path) == 0)
    }
}
