import HostSystem
import ModuleIsolation
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host why NAME`: explains the state of everything that has a name, step by step.
struct WhyCommand: Command {
    var subject = ""
    var listing = ListingOptions()

    static let name = "why"
    static let summary = "Explain the state of a route, module, service or library, or an error code"
    static let example = "why list"
    static let details =
        """
        The command shows where the host has looked, which manifest and library it uses, each check of the library, where \
        each service comes from, who uses it, the last crash, the state, and what to do. It runs no module's code. With \
        --via, it explains the state in a serving host, with the use of the modules.
        """
    static let operands = [Operand("ROUTE|MODULE|SERVICE|FILE.so|CODE", \Self.subject)]
    static let options = ListingOptions.all.map { $0.at(\Self.listing) }

    func output() async throws -> String {
        let explanations = try await explanations()
        if listing.format == .json { return try renderJSON(explanations) }
        return explanations.map(\.shown).joined(separator: "\n")
    }

    private func explanations() async throws(ViperError) -> [Explanation] {
        let entries = ErrorEntry.all
        let codes = entries.filter { $0.code == subject }.map(\.explanation)
        do {
            return try await codes + inHost(subject)
        } catch {
            // An error code needs no root.
            if !codes.isEmpty { return codes }
            let near = nearestNames(to: subject, in: Set(entries.map(\.code)))
            guard error.code == .nameUnknown, !near.isEmpty else { throw error }
            var error = error
            error.notes.append(.init("error codes", near.joined(separator: ", ")))
            throw error
        }
    }

    private func inHost(_ subject: String) async throws(ViperError) -> [Explanation] {
        let answer = try await listing.via.ask { host throws(ViperError) in
            try await host.call("why", WhyCall(name: subject), as: [Explanation].self)
        }
        if let answer { return answer }
        let host = try listing.host.makeHost()
        host.checkLibraries()
        host.readCrashes()
        host.readVersions()
        return try await host.explanations(of: subject)
    }
}

extension Explanation {
    /// The explanation as a table, in the order in which the host has found out the facts.
    fileprivate var shown: String {
        var table = TextTable(headings: ["\(kind.rawValue) \(name)", state])
        for step in steps {
            let lines = step.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for (number, line) in lines.enumerated() where number < lines.count - 1 || !line.isEmpty {
                table.add([number == 0 ? step.label : "", line + (number == 0 ? result(of: step) : "")])
            }
            for note in step.error?.notes ?? [] { table.add(["", "\(note.label): \(note.text)"]) }
        }
        for fix in fixes { table.add(["to do", fix]) }
        return Terminal.text(of: table)
    }

    /// The result of a check, after its promise.
    private func result(of step: Step) -> String {
        guard step.label == "check" else { return "" }
        return step.error.map { ": no, \($0.cause)" } ?? ": yes"
    }
}
