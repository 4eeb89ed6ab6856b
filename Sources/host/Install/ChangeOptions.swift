import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
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
        if !isConfirmed, isatty(STDIN_FILENO) == 0 || format == .json {
            throw invalidArgument("--yes", "it is missing, and there is no terminal to ask on", fix: "give --yes")
        }
        let change = try await make(Installation(configuration)) { [self] change throws(ViperError) in
            if format == .json { return true }
            try Terminal.write(Self.text(of: change), to: STDOUT_FILENO)
            if isConfirmed { return true }
            try Terminal.write("\(question) [y/N] ", to: STDOUT_FILENO)
            // Reading blocks the thread.
            let answer = await BlockingWork.run { readLine() }
            return ["y", "yes"].contains(answer?.lowercased())
        }
        guard let change else { return "Nothing has changed.\n" }
        if format == .json { return try renderJSON(change) }
        return printable(done(change)) + place(configuration.root.path) + "\n"
            + (change.updatesLock ? "Updated \(ModuleLock.file)\n" : "")
    }

    /// Returns the versions and differences of a change.
    private static func text(of change: ModuleChange) -> String {
        let versions =
            switch (change.from, change.to) {
            case (let from?, let to?): "\(from) -> \(to)"
            case (nil, let to?): "\(to) (new)"
            case (let from, nil): "\(from ?? "") -> removed"
            }
        let lines = ["\(change.module) \(versions)"] + change.lines.map { "  \($0)" }
        return lines.map { printable($0) + "\n" }.joined()
            + (change.lack.map { "It cannot be used yet: \(printable($0))\n" } ?? "")
    }
}
