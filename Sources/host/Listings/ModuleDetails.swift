import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// All that is known of a module, as `host modules MODULE` shows it.
struct ModuleDetails: Encodable {
    /// The module. If several modules have the name, each of them is refused.
    let modules: [ModuleListing.Entry]
    /// The routes that the module provides.
    let routes: [RouteListing.Entry]
    /// The services that the module provides or uses.
    let services: [ServiceListing.Entry]
    /// The module's statistics. Nil without `--via`.
    let statistics: [ModuleStatistics]?

    init(
        of name: String, _ modules: ModuleListing, _ routes: RouteListing, _ services: ServiceListing,
        _ statistics: [ModuleStatistics]?
    ) throws(ViperError) {
        let named = modules.modules.filter { $0.module == name }
        self.modules = named
        self.routes = routes.entries.filter { entry in
            entry.contestedBy?.contains { file in named.contains { $0.manifest == file } } ?? (entry.module == name)
        }
        self.services = services.entries.filter { entry in
            [entry.providedBy, entry.requiredBy, entry.collectedBy ?? []].contains { $0.contains(name) }
        }
        self.statistics = statistics
        if self.modules.isEmpty {
            throw unknownName(
                name, .moduleUnknown, "cannot show module", "no module has this name",
                among: modules.modules.map(\.module), fix: "run host modules to list all modules")
        }
    }

    var tables: [TextTable] { modules.map(table) }

    private func table(of entry: ModuleListing.Entry) -> TextTable {
        var table = TextTable(headings: [entry.module, entry.version ?? "-"])
        table.add(["state", entry.state])
        if let run = entry.run { table.add(["run", run]) }
        if let library = entry.library { table.add(["library", library]) }
        table.add(["manifest", entry.manifest])
        for (label, text) in [("author", entry.author), ("license", entry.license), ("homepage", entry.homepage)] {
            if let text { table.add([label, text]) }
        }
        for version in entry.earlier ?? [] {
            table.add(["earlier version", version.version + (version.reason.map { ", which \($0)" } ?? "")])
        }
        for route in routes {
            let words = [route.route, route.usage, route.contestedBy == nil ? "" : "(contested)"]
            table.add(["route", words.filter { !$0.isEmpty }.joined(separator: " ")])
        }
        for service in services where service.providedBy.contains(entry.module) {
            let users = service.requiredBy + (service.collectedBy ?? [])
            table.add(["provides", service.service + (users.isEmpty ? "" : " for \(users.joined(separator: ", "))")])
        }
        for service in services where service.requiredBy.contains(entry.module) {
            let provider = service.choices?[entry.module] ?? service.selected
            table.add(["uses", service.service + (provider.map { " from \($0)" } ?? " (no provider)")])
        }
        for service in services where service.collectedBy?.contains(entry.module) == true {
            table.add(["uses", "\(service.service) from \(service.providedBy.joined(separator: ", "))"])
        }
        for (name, version) in (entry.contracts ?? [:]).sorted(by: { $0.key < $1.key }) {
            table.add(["contract", "\(name) \(version)"])
        }
        for route in entry.opens ?? [] { table.add(["opens", route]) }
        for (point, values) in (entry.contributes ?? [:]).sorted(by: { $0.key < $1.key }) {
            for value in values {
                let text = (try? encodedJSON(value)).map { String(decoding: $0, as: UTF8.self) } ?? "-"
                table.add(["contributes", "\(point) \(text)"])
            }
        }
        return table
    }
}
