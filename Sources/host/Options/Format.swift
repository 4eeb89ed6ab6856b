import ModuleRuntime
import ViperKit

/// The format of a command's output.
enum Format: String {
    case text, json

    static let option = Option<Format>(
        "--format", value: "text|json", summary: "Select the format of the output", fallback: "text"
    ) { format, name throws(ViperError) in
        guard let named = Format(rawValue: name) else {
            throw invalidArgument("--format \(name)", "unknown format", fix: "write text or json")
        }
        format = named
    }

    func text(of screen: Screen) throws -> String {
        switch self {
        case .text: TextRenderer(style: Terminal.style).render(screen)
        case .json: try renderJSON(screen)
        }
    }
}
