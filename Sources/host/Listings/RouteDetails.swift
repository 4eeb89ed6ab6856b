import ModuleCatalog
import ModuleRuntime
import ViperRuntime

/// All that is known of a route, as `host routes ROUTE` shows it.
struct RouteDetails {
    let entry: RouteListing.Entry

    /// A command line that opens the route, with a sample for each required parameter.
    private var example: String {
        let given = entry.parameters.filter { $0.presence == .required }.map { parameter in
            shellQuoted("\(parameter.name)=\(parameter.type.samples.first?.text ?? parameter.type.placeholder)")
        }
        return (["host run", shellQuoted(entry.route)] + given).joined(separator: " ")
    }

    var table: TextTable {
        var table = TextTable(headings: [entry.route, entry.summary])
        table.add(["module", "\(entry.module) (\(entry.state))"])
        for parameter in entry.parameters {
            let fallback =
                switch parameter.presence {
                case .required: "required"
                case .optional: "optional"
                case .defaulted(let value): "default: \(value)"
                }
            let text = "\(parameter.name)=\(parameter.type.placeholder): \(parameter.summary) (\(fallback))"
            table.add(["parameter", text])
        }
        for module in entry.guards ?? [] { table.add(["guarded by", module]) }
        for file in entry.contestedBy ?? [] { table.add(["claimed by", file]) }
        table.add(["example", example])
        return table
    }
}

extension RouteDetails: Encodable {
    private enum CodingKeys: CodingKey { case example }

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(example, forKey: .example)
    }
}
