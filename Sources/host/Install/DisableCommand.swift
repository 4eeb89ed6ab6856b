import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host disable MODULE`: leaves out a module without removing it.
struct DisableCommand: Command {
    var module = ""
    /// True if the command does not ask.
    var isConfirmed = false
    var host = HostOptions()

    static let name = "disable"
    static let summary = "Leave out a module without removing it"
    static let example = "disable hello"
    static let operands = [Operand("MODULE", \Self.module)]
    static let options =
        [Option<Self>("--yes", summary: "Do not ask if other modules lose something") { $0.isConfirmed = true }]
        + HostOptions.inRoot.map { $0.at(\Self.host) }
    static let changesFiles = true
    static let details =
        """
        The command adds the name to "disabled" in host.json. The module's routes and services are missing until host \
        enable. Its library and its data stay. If other modules lose a service, contract or guard, the command names them \
        and asks. A host that serves the root follows at once.
        """

    func output() async throws -> String {
        let configuration = try host.configuration()
        let isChanged = try await Installation(configuration).set(module, isDisabled: true) {
            [isConfirmed] losses throws(ViperError) in
            let question = Question("Disable it?", isConfirmed: isConfirmed)
            try question.check()
            return try await question.isAnswered(byShowing: losses.map { printable($0.line) + "\n" }.joined())
        }
        let root = place(configuration.root.path)
        guard let isChanged else { return "Nothing has changed.\n" }
        return isChanged ? "Disabled \(module)\(root)\n" : "\(module) is already disabled\(root)\n"
    }
}
