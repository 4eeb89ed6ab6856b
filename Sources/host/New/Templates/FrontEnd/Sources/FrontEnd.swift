import ViperKit

/// The front end's work. It shows one window, and leaves it open when it is replaced.
struct FrontEnd: Interactor {
    let windows: any Windows
    let pages: any PageStoring

    /// The window's identity, which tells users apart. This front end has one user.
    static let identity = "front-end-template"

    /// Shows each screen until the window is closed or the task is cancelled. `window.send(_:)` would pass on what the
    /// user does.
    func run() async throws {
        let window = try await window()
        try pages.store(window: window.id)
        for await state in window.states() {
            try pages.store(page(state.screen))
            if state.isClosed { try pages.store(window: nil) }
        }
    }

    /// Returns the window that an earlier version of this module has left open, or a new window.
    private func window() async throws -> any OpenWindow {
        if let id = pages.window, let window = try? await windows.take(id, of: Self.identity) { return window }
        return try await windows.open("", for: Self.identity)
    }

    private func page(_ screen: Screen) -> String {
        let rows = screen.sections.flatMap(\.rows).map { "- \($0.title)" }
        let actions = (screen.alert?.actions ?? screen.actions).map { "[\($0.title)]" }
        let texts = [screen.text, screen.alert?.title, screen.alert?.message].compactMap(\.self)
        return ([screen.title] + texts + rows + actions).joined(separator: "\n") + "\n"
    }
}
