import ViperKit

extension ViperError.Code {
    static var terminalUnusable: Self { Self("terminal-unusable", .configuration) }
    static var resourceMissing: Self { Self("resource-missing", .system) }
}
