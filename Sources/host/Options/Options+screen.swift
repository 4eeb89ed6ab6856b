import ModuleRuntime
import ViperKit

extension Options {
    func text(of screen: Screen) throws -> String {
        switch format {
        case .text: TextRenderer(style: Terminal.style).render(screen)
        case .json: try renderJSON(screen)
        }
    }
}
