import Foundation
import TestSupport

/// The part of this program that another one kills: a client in a process of its own, which calls until it is killed.
enum Caller {
    /// What it is started with, before the socket's path.
    static let word = "--call"

    static func run(_ arguments: ArraySlice<String>) async -> Never {
        do {
            let socket = arguments.last ?? ""
            try await onOwnThread {
                let client = try Client(socket)
                // Scenes are left open, so that somebody has to close them.
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
