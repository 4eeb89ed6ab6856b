import ViperKit
import ViperRuntime

/// `host rollback MODULE [VERSION]`: uses an earlier version of a module again.
struct RollbackCommand: Command {
    var module = ""
    var version: String?
    var change = ChangeOptions()

    static let name = "rollback"
    static let summary = "Use an earlier version of a module again"
    static let example = "rollback hello --yes"
    static let operands = [Operand("MODULE", \Self.module), Operand("VERSION", \Self.version)]
    static let options = ChangeOptions.all.map { $0.at(\Self.change) }
    static let changesFiles = true
    static let details =
        """
        Without VERSION, the command uses the version that was in use before, unless it is quarantined. The current \
        version is kept, so that a second rollback uses it again, unless it has ended its hosts. host modules MODULE \
        lists the versions.
        """

    func output() async throws -> String {
        try await change.output(asking: "Use it?") { change in
            "Uses \(change.module) \(change.to ?? "") again"
        } _: { installation, isWanted throws(ViperError) in
            try await installation.rollBack(module, to: version, isWanted)
        }
    }
}
