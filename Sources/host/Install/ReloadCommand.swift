import ModuleIsolation
import ViperKit
import ViperRuntime

/// `host reload MODULE --via PATH`: loads a module of a serving host again.
struct ReloadCommand: Command {
    var module = ""
    var via = Via()

    static let name = "reload"
    static let summary = "Load a module of a serving host again"
    static let example = "reload hello --via ~/host.sock"
    static let operands = [Operand("MODULE", \Self.module)]
    static let options = [Via.option.at(\Self.via)]
    static let details =
        """
        The host makes a new generation of the module, although its files have not changed, and checks it. The new \
        generation then takes over all routes. Open scenes stay in the generation that opened them. A refused module is \
        tried again.
        """

    func check() throws(ViperError) { try via.require() }

    func output() async throws -> String {
        _ = try await via.ask { [module] host throws(ViperError) in try await host.call("reload", ModuleCall(module)) }
        return "Reloaded \(module)\n"
    }
}
