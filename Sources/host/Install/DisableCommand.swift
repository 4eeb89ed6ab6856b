import ModuleCatalog
import ViperKit
import ViperRuntime

/// `host disable MODULE`: leaves out a module without removing it.
struct DisableCommand: Command {
    var module = ""
    var host = HostOptions()

    static let name = "disable"
    static let summary = "Leave out a module without removing it"
    static let example = "disable hello"
    static let operands = [Operand("MODULE", \Self.module)]
    static let options = HostOptions.inRoot.map { $0.at(\Self.host) }
    static let details =
        """
        The command adds the name to "disabled" in host.json. The module's routes and services are missing until host \
        enable. Its library and its data stay. A host that serves the root follows at once.
        """

    func output() async throws -> String {
        let configuration = try host.configuration()
        let isChanged = try await Installation(configuration).set(module, isDisabled: true)
        let root = place(configuration.root.path)
        return isChanged ? "Disabled \(module)\(root)\n" : "\(module) is already disabled\(root)\n"
    }
}
