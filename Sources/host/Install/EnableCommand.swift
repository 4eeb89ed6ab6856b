import ModuleCatalog
import ViperKit
import ViperRuntime

/// `host enable MODULE`: uses a disabled module again.
struct EnableCommand: Command {
    var module = ""
    var host = HostOptions()

    static let name = "enable"
    static let summary = "Use a disabled module again"
    static let example = "enable hello"
    static let operands = [Operand("MODULE", \Self.module)]
    static let options = HostOptions.inRoot.map { $0.at(\Self.host) }
    static let changesFiles = true
    static let details =
        """
        The command removes the name from "disabled" in host.json. A host that serves the root follows at once.
        """

    func output() async throws -> String {
        let configuration = try host.configuration()
        let isChanged = try await Installation(configuration).set(module, isDisabled: false) { _ in true } ?? false
        let root = place(configuration.root.path)
        return isChanged ? "Enabled \(module)\(root)\n" : "\(module) is already enabled\(root)\n"
    }
}
