import ViperKit
import ViperRuntime

/// `host run ROUTE`: opens a route, does what the options say, and shows the screen.
struct RunCommand {
    let options: Options

    @MainActor
    func output() async throws -> String {
        let host = try options.makeHost()
        let screen: Screen
        do {
            screen = try await finalScreen(host)
        } catch {
            await host.shutDown()
            throw error
        }
        await host.shutDown()
        switch options.format {
        case .text: return TextRenderer(style: Terminal.style).render(screen)
        case .json: return try renderJSON(screen)
        }
    }

    @MainActor
    private func finalScreen(_ host: ViperHost) async throws(ViperError) -> Screen {
        let window = Window(router: host.router)
        defer { window.closeAll() }
        try await window.open(options.route ?? "", texts: options.parameters)
        for event in options.events { try await window.handle(event) }
        return window.screen
    }
}
