import Synchronization
package import ViperKit

/// The windows of a client. Each window has a number, by which the client uses it.
///
/// A client is whatever shows windows to a user, such as a program at the other end of a connection. This type knows
/// neither connections nor messages.
package final class ClientWindows: Sendable {
    private struct State {
        var windows: [Int: ClientWindow] = [:]
        /// The numbers of open windows, keyed by the module that opened them.
        var counts: [String: Int] = [:]
        /// The number of the last window. Numbers are never reused.
        var lastNumber = 0
        var isClosed = false

        mutating func remove(_ number: Int) -> ClientWindow? {
            guard let window = windows.removeValue(forKey: number) else { return nil }
            counts[window.opener]? -= 1
            if counts[window.opener] == 0 { counts[window.opener] = nil }
            return window
        }
    }

    private let source: any SceneSource & Sendable
    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty set of windows.
    ///
    /// - Parameters:
    ///   - source: The source of the windows' scenes.
    ///   - limit: The maximum number of open windows.
    package init(source: any SceneSource & Sendable, limit: Int) { (self.source, self.limit) = (source, limit) }

    /// Adds an empty window. A client that cannot open a route in it must close it.
    ///
    /// - Parameters:
    ///   - identity: The window's identity. Empty if the client does not tell users apart.
    ///   - opener: The name of the module that opens the window. Empty if no module does.
    ///   - share: The maximum number of windows of the same opener.
    /// - Returns: The window. Nil if the maximum number of windows is open, or if ``closeAll()`` was called.
    package func add(for identity: String, by opener: String = "", share: Int = .max) -> ClientWindow? {
        state.withLock { state in
            if state.isClosed || state.windows.count >= limit || state.counts[opener, default: 0] >= share {
                return nil
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let window = ClientWindow(number, of: identity, by: opener, from: source) { [weak self] in
                self?.state.withLock { _ = $0.remove(number) }
            }
            state.windows[number] = window
            state.counts[opener, default: 0] += 1
            return window
        }
    }

    /// Returns an open window.
    ///
    /// - Throws: ``ViperError/Code/sceneUnknown`` if no open window has this number.
    package func window(_ number: Int) throws(ViperError) -> ClientWindow {
        if let window = state.withLock({ $0.windows[number] }) { return window }
        throw .sceneUnknown(number)
    }

    /// Removes a window so that the caller can close it.
    ///
    /// - Returns: The window, or nil if the window is already closed.
    /// - Throws: ``ViperError/Code/sceneUnknown`` if no window ever had this number.
    package func remove(_ number: Int) throws(ViperError) -> ClientWindow? {
        let (window, wasThere) = state.withLock { state in
            (state.remove(number), 1 <= number && number <= state.lastNumber)
        }
        if wasThere { return window }
        throw .sceneUnknown(number)
    }

    /// Closes all windows. No window can be added afterwards.
    package func closeAll() async {
        let windows = state.withLock { state in
            defer { (state.windows, state.counts) = ([:], [:]) }
            state.isClosed = true
            return state.windows.values
        }
        for window in windows { await window.close() }
    }
}
