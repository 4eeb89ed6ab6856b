import ViperKit
import ViperRuntime

extension Options {
    /// A screen in the format that was asked for.
    func text(of screen: Screen) throws -> String {
        switch format {
        case .text: TextRenderer(style: Terminal.style).render(screen)
        case .json: try renderJSON(screen)
        }
    }
}
