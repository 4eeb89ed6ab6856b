import Foundation
import HostDriver

/// The client process for the scenario ``Kill``. It makes calls until it is killed.
enum Caller {
    /// The first argument of `soak` when it runs as such a client. The second argument is the path of the socket.
    static let word = "--call"

    static func run(_ arguments: ArraySlice<String>) async -> Never {
        do {
            let socket = arguments.last ?? ""
            try await onOwnThread {
                let client = try Client(socket)
                // Some scenes stay open, so that the host has to close them after this process is killed.
                while true {
                    let scene = try client.open(VersionedModule.route).scene
                    for _ in 0..<10 { _ = try client.press("go", in: scene) }
                    if scene % 50 == 0 {
                        for old in scene - 49...scene { _ = try client.call("close", #"{"scene":\#(old)}"#) }
                    }
                }
            }
        } catch {
            Soak.say("\(error)", to: .standardError)
        }
        exit(1)
    }
}
