import ViperKit
import ViperRuntime

/// `host modules`: lists every module with its state, and why one is refused. Looks at libraries, loads none.
struct ModulesCommand {
    let options: Options

    func output() async throws -> String {
        let listing = try await options.listing(ModuleListing.self).0
        if options.format == .json { return try renderJSON(listing) }
        var table = TextTable(headings: ["MODULE", "VERSION", "STATE", "LIBRARY", "MANIFEST"])
        for entry in listing.modules {
            table.add([entry.module, entry.version ?? "-", entry.state, entry.library ?? "-", entry.manifest])
        }
        let refusals = listing.modules.compactMap(\.refusal).map { "\n\($0)\n" }
        let strays = listing.strayLibraries.map(Self.nextStep)
        return table.text(Terminal.style) + printableLines((refusals + strays).joined())
    }

    private static func nextStep(for library: String) -> String {
        "\nlibrary \"\(library)\": no manifest mentions it\n"
            + "  to mend  add Manifests/NAME.json with \"library\": \"\(library)\"\n"
    }
}
