import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import JSONRPC

struct SocketPathTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for name in ["run", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
    }

    private func path(_ runtime: String?) throws -> String {
        var environment = ["TMPDIR": "\(folder.path)/tmp"]
        environment["XDG_RUNTIME_DIR"] = runtime
        return try SocketPath.standard(environment).path.replacing(folder.path, with: "")
    }

    @Test("The socket is in XDG_RUNTIME_DIR, or below TMPDIR if that is missing or others can change it")
    func standard() throws {
        let (runtime, own) = ("\(folder.path)/run", "/tmp/viper-host-\(getuid())/host.sock")
        #expect(try path(runtime) == "/run/viper-host.sock")
        for other in [nil, "", "run", "\(folder.path)/gone"] { #expect(try path(other) == own) }
        for mode in [0o777, 0o1777, 0o702] as [mode_t] {
            try #require(chmod(runtime, mode) == 0)
            #expect(try path(runtime) == own)
        }
    }

    @Test(
        "Another user's XDG_RUNTIME_DIR is not used, and another user's folder in TMPDIR is refused",
        .needs(.strangers))
    func strangers() throws {
        try #require(chown("\(folder.path)/run", Stranger.user, Stranger.user) == 0)
        let own = "/tmp/viper-host-0"
        #expect(try path("\(folder.path)/run") == "\(own)/host.sock")
        try #require(chown(folder.path + own, Stranger.user, Stranger.user) == 0)
        #expect(throws: ViperError.self) { try path(nil) }
        try #require(chown(folder.path + own, 0, 0) == 0)
        try #require(chown("\(folder.path)/tmp", Stranger.user, Stranger.user) == 0)
        let error = try #require(throws: ViperError.self) { try path(nil) }
        #expect(error.code == .pathUntrusted)
    }
}
