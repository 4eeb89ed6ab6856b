import ViperKit
import ViperRuntime

/// `host remove MODULE`: removes an installed module.
struct RemoveCommand: Command {
    var module = ""
    var change = ChangeOptions()

    static let name = "remove"
    static let summary = "Remove an installed module"
    static let example = "remove hello --yes"
    static let operands = [Operand("MODULE", \Self.module)]
    static let options = ChangeOptions.all.map { $0.at(\Self.change) }
    static let changesFiles = true
    static let details =
        """
        The library is moved to Plugins/.versions, so that host rollback installs it again. What the module has stored \
        stays. A host that serves the root retires the module after its last scene.
        """

    func output() async throws -> String {
        try await change.output(asking: "Remove it?") { change in
            "Removed \(change.module) \(change.from ?? "")"
        } _: { installation, isWanted throws(ViperError) in
            try await installation.remove(module, isWanted)
        }
    }
}
