import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import JSONRPC
@testable import ModuleCatalog
@testable import ViperRuntime

@Suite(.hangLimit)
struct ServerTests {
    private let folder: ScratchFolder
    private let server: Server

    init() throws {
        folder = try ScratchFolder()
        let root = Root(path: folder.path, executableFolder: "/nonexistent")
        server = Server(try ViperHost(ViperHost.Configuration(root: root, stateIn: folder)), limits: Limits()) { _ in }
    }

    @Test("A server that is drained before it listens ends at once and accepts no connection")
    func drainedBefore() async throws {
        server.drain()
        let path = try SocketPath("\(folder.path)/host.sock")
        try server.listen(at: path)
        await server.ended()
        #expect(throws: ViperError.self) { try path.connect() }
    }

    @Test("A client that connects while the server ends receives an error")
    func late() async throws {
        server.drain()
        let (raw, other) = try RawEnd.pair()
        server.serve(reading: other, writing: other)
        #expect(await raw.line()?.contains(#""code":"host-ending""#) == true)
        #expect(await raw.line() == nil)
    }
}
