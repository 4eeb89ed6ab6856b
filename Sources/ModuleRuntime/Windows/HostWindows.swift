import HostSystem
import Synchronization
package import ViperKit

/// The windows that modules open, or that the program opens for itself.
package final class HostWindows: Windows {
    /// The number of modules that hold a window, and the number of times that a module has given it up.
    private struct Holders {
        var count = 0
        var givenUp = 0
    }

    private let windows: ClientWindows
    private let clock: any Clock<Duration>
    private let holders = Mutex<[Int: Holders]>([:])

    /// The maximum number of windows that are open together.
    private let limit: Int
    /// The maximum number of windows that one module opens, so that it leaves some to others.
    private let share: Int
    /// The time after which a window closes if no module holds it. A replaced front end needs less.
    private static let grace = Duration.seconds(10)

    /// Creates an empty set of windows.
    ///
    /// - Parameters:
    ///   - source: The source of the windows' scenes.
    ///   - limit: The maximum number of open windows. One module opens at most half of them.
    ///   - clock: The clock that measures how long no module holds a window.
    package init(
        source: any SceneSource & Sendable, limit: Int = 10_000, clock: any Clock<Duration> = ContinuousClock()
    ) {
        windows = ClientWindows(source: source, limit: limit)
        (self.limit, share, self.clock) = (limit, limit / 2, clock)
    }

    package func open(_ route: String, for identity: String) async throws(ViperError) -> any OpenWindow {
        try await open(route, for: identity, by: nil)
    }

    /// Opens a route in a new window.
    ///
    /// - Parameter module: The name of the module that opens the window. Nil if the program opens it.
    func open(
        _ route: String, for identity: String, by module: String?
    ) async throws(ViperError) -> any OpenWindow {
        let (window, held) = try add(route, for: identity, by: module)
        _ = try await window.queue(.open(route, .texts([:])))()
        return held
    }

    /// Adds an empty window, which the caller holds.
    func add(
        _ route: String, for identity: String, by module: String?
    ) throws(ViperError) -> (ClientWindow, HeldWindow) {
        guard let window = windows.add(for: identity, by: module ?? "", share: module == nil ? limit : share) else {
            throw ViperError(
                .limitReached, operation: "cannot open a window with", subject: route,
                cause: module.map { "\(limit) windows are open, or \(share) of the module \"\($0)\"" }
                    ?? "\(limit) windows are open",
                fix: "close windows that nobody uses")
        }
        return (window, hold(window))
    }

    package func take(_ id: Int, of identity: String) async throws(ViperError) -> any OpenWindow {
        let window = try window(id)
        // Texts with the same characters in another Unicode form are different identities.
        if window.identity.utf8.elementsEqual(identity.utf8) { return hold(window) }
        throw ViperError(
            .sceneUnknown, operation: "cannot find window", subject: "\(id)", cause: "it has another identity")
    }

    func window(_ id: Int) throws(ViperError) -> ClientWindow { try windows.window(id) }

    private func hold(_ window: ClientWindow) -> HeldWindow {
        holders.withLock { $0[window.number, default: Holders()].count += 1 }
        return HeldWindow(window, of: self)
    }

    /// Closes a window after a while, unless a module holds it by then.
    func giveUp(_ window: ClientWindow) {
        let number = window.number
        let givenUp = holders.withLock { holders in
            var holder = holders[number] ?? Holders()
            holder.count -= 1
            holder.givenUp += 1
            holders[number] = holder
            return holder.count == 0 ? holder.givenUp : nil
        }
        guard let givenUp else { return }
        Task { [clock] in
            if (try? windows.window(number)) != nil { try? await clock.sleep(for: Self.grace) }
            let isUnused = holders.withLock { holders in
                // A module that took the window up and gave it up again has begun another wait.
                guard let holder = holders[number], holder.count == 0, holder.givenUp == givenUp else { return false }
                holders[number] = nil
                return true
            }
            if isUnused { await window.close() }
        }
    }

    /// Closes all windows. No window can be opened afterwards.
    package func closeAll() async { await windows.closeAll() }
}

/// The windows as one module opens them. They are counted for this module, also after it was replaced.
struct ModuleWindows: Windows {
    let windows: HostWindows
    let module: String

    func open(_ route: String, for identity: String) async throws(ViperError) -> any OpenWindow {
        try await windows.open(route, for: identity, by: module)
    }

    func take(_ id: Int, of identity: String) async throws(ViperError) -> any OpenWindow {
        try await windows.take(id, of: identity)
    }
}
