import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit
import ViperRuntime

/// The options of a command that changes an installed module.
struct ChangeOptions: Sendable {
    /// True if the command does not ask.
    var isConfirmed = false
    var host = HostOptions()
    var format = Format.text

    static let all =
        [Option<ChangeOptions>("--yes", summary: "Do not ask") { $0.isConfirmed = true }]
        + (HostOptions.inRoot + [HostOptions.state, HostOptions.verbose]).map { $0.at(\ChangeOptions.host) }
        + [Format.option.at(\ChangeOptions.format)]

    /// Shows a change and makes it, if the user agrees, and returns the command's output.
    ///
    /// - Parameters:
    ///   - question: The question to ask on a terminal.
    ///   - done: The last line, after a change.
    ///   - make: A closure that makes the change if a closure returns true.
    func output(
        asking question: String, done: (ModuleChange) -> String,
        _ make: (Installation, @escaping Installation.Confirmation) async throws(ViperError) -> ModuleChange?
    ) async throws -> String {
        let configuration = try host.configuration()
        let asking = Question(question, isConfirmed: isConfirmed)
        if format == .json { try asking.checkConfirmed() } else { try asking.check() }
        // The library is tried after the question.
        let lack = Mutex<String?>(nil)
        let change = try await make(Installation(configuration)) { [format] change throws(ViperError) in
            if format == .json { return true }
            lack.withLock { $0 = change.lack }
            return try await asking.isAnswered(byShowing: Self.text(of: change))
        }
        guard let change else { return "Nothing has changed.\n" }
        if format == .json { return try renderJSON(change) }
        let found = lack.withLock { $0 } == nil ? change.lack.map(Self.text(ofLack:)) : nil
        return (found ?? "") + printable(done(change)) + place(configuration.root.path) + "\n"
            + (change.updatesLock ? "Updated \(ModuleLock.file)\n" : "")
    }

    /// Returns what the user decides on: the digest, the owner, the versions, the differences, and who loses what.
    private static func text(of change: ModuleChange) -> String {
        let versions =
            switch (change.from, change.to) {
            case (let from?, let to?): "\(from) -> \(to)"
            case (nil, let to?): "\(to) (new)"
            case (let from, nil): "\(from ?? "") -> removed"
            }
        let digest = (change.sha256 ?? change.replaces).map { ["SHA-256 \($0)"] } ?? []
        let owner = change.owner.map { ["owner uid \($0), who is not trusted"] } ?? []
        let lines =
            digest + owner + ["\(change.module) \(versions)"] + change.lines.map { "  \($0)" }
            + change.losses.map(\.line)
        return lines.map { printable($0) + "\n" }.joined() + (change.lack.map(text(ofLack:)) ?? "")
    }

    private static func text(ofLack lack: String) -> String { "It cannot be used yet: \(printable(lack))\n" }
}

extension ModuleLoss {
    /// The loss as a line of a question.
    var line: String { isUsable ? "! \(module): \(cause)" : "! \(module) can no longer be used: \(cause)" }
}
