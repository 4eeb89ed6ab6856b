import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host graph`: draws the modules and what they need from each other.
struct GraphCommand: Command {
    enum Format: String, CaseIterable { case mermaid, svg, json }

    var listing = ListingOptions()
    var format = Format.mermaid

    static let name = "graph"
    static let summary = "Draw the modules, and what they need from each other"
    static let example = "graph --format svg"
    static let details =
        """
        The graph has the modules with their routes, services, contracts and contributions. It marks the refused modules, and \
        those that run in their own process. The command checks the libraries without loading them.
        """
    static let options =
        [Via.option.at(\Self.listing.via)] + HostOptions.common.map { $0.at(\Self.listing.host) } + [
            Option<Self>(
                "--format", value: "mermaid|svg|json", summary: "Select the format of the output", fallback: "mermaid"
            ) { command, name throws(ViperError) in
                // The text of a graph is that for Mermaid.
                guard let format = Format(rawValue: name == "text" ? "mermaid" : name) else {
                    throw invalidArgument(
                        "--format \(name)", "unknown format", fix: "write mermaid, svg or json")
                }
                command.format = format
            }
        ]

    func output() async throws -> String {
        let (modules, services, routes) = try await listing.read(
            ModuleListing.self, ServiceListing.self, RouteListing.self, readsLibraries: true)
        let graph = ModuleGraph(
            modules.modules.map(\.node), services.entries.map(\.record),
            routes: Dictionary(
                routes.entries.filter { $0.contestedBy == nil }.map { ($0.route, $0.module) }
            ) { first, _ in first })
        return switch format {
        case .mermaid: MermaidGraph(graph: graph).text
        case .svg: GraphPicture(graph).text
        case .json: try renderJSON(graph)
        }
    }
}

extension ModuleListing.Entry {
    fileprivate var node: ModuleGraph.Module {
        var module = ModuleGraph.Module(
            name: module, version: version, state: state, isIsolated: isolation != nil)
        (module.points, module.contracts) = ((contributes ?? [:]).keys.sorted(), (contracts ?? [:]).keys.sorted())
        module.opens = opens ?? []
        return module
    }
}

extension ServiceListing.Entry {
    fileprivate var record: ServiceRecord {
        var record = ServiceRecord(service)
        (record.providers, record.selected, record.collectors) = (providedBy, selected, collectedBy ?? [])
        // The reasons are texts here, so the withheld services are left out.
        record.consumers = requiredBy.filter { withheld?[$0] == nil }
        record.choices = choices ?? [:]
        return record
    }
}
