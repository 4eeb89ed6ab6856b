import ViperKit
import ViperRuntime

/// `host modules`: lists every module with its state, and why one is refused. Looks at libraries, loads none.
struct ModulesCommand {
    let options: Options

    private struct Listing: Encodable {
        var modules: [Entry]
        var strayLibraries: [String]
    }

    private struct Entry: Encodable {
        var module: String
        var version: String?
        var state: String
        var library: String?
        var manifest: String
        var refusal: ViperError?
    }

    func output() throws -> String {
        let host = try options.makeHost()
        host.checkLibraries()
        let entries = host.registry.snapshot.modules.map { record in
            Entry(
                module: record.name, version: record.manifest?.version, state: record.state.name,
                library: record.manifest?.library, manifest: record.file, refusal: record.state.refusal)
        }
        if options.format == .json {
            return try renderJSON(Listing(modules: entries, strayLibraries: host.strayLibraries))
        }
        var table = TextTable(headings: ["MODULE", "VERSION", "STATE", "LIBRARY", "MANIFEST"])
        for entry in entries {
            table.add([entry.module, entry.version ?? "-", entry.state, entry.library ?? "-", entry.manifest])
        }
        let refusals = entries.compactMap(\.refusal).map { "\n\($0)\n" }
        let strays = host.strayLibraries.map(Self.nextStep)
        return table.text(Terminal.style) + printableLines((refusals + strays).joined())
    }

    private static func nextStep(for library: String) -> String {
        "\nlibrary \"\(library)\": no manifest mentions it\n"
            + "  to mend  add Manifests/NAME.json with \"library\": \"\(library)\"\n"
    }
}
