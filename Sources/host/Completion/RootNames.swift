import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// The names in the root that a command line selects. Empty if there is no root, or if it cannot be read.
struct RootNames {
    private let host: ViperHost?

    init(_ arguments: Arguments) {
        var options = HostOptions()
        for given in arguments.options {
            let option = HostOptions.inRoot.first { $0.description.names.contains(given.name) }
            // The shell does not expand a tilde in an unfinished line.
            let home = environmentVariable("HOME").flatMap { given.value.hasPrefix("~/") ? $0 : nil }
            try? option?.store(&options, home.map { $0 + given.value.dropFirst() } ?? given.value)
        }
        host = try? options.makeHost()
    }

    private var manifests: [Manifest] { host?.registry.snapshot.modules.compactMap(\.manifest) ?? [] }

    var routes: [Completion.Suggestion] {
        (host?.registry.snapshot.routes.all ?? []).map { .init(text: $0.route.name, summary: $0.route.summary) }
    }

    var modules: [Completion.Suggestion] {
        (host?.registry.snapshot.modules).map { $0.map { .init(text: $0.name, summary: $0.state.name) } } ?? []
    }

    var services: [Completion.Suggestion] {
        (host?.registry.snapshot.services ?? []).map { .init(text: $0.name, summary: "service") }
    }

    /// The keys of the modules' configurations, such as `todo.baseURL=`.
    var settings: [Completion.Suggestion] {
        manifests.flatMap { manifest in
            manifest.config.map { .init(text: "\(manifest.name).\($0.name)=", summary: $0.summary) }
        }
    }

    /// The choices of a provider for all modules, such as `data-provider=sqlite`.
    var choices: [Completion.Suggestion] {
        (host?.registry.snapshot.services ?? []).flatMap { service in
            service.providers.map { .init(text: "\(service.name)=\($0)") }
        }
    }

    /// Returns the parameters of a route, or those of all routes of a module. A parameter with few values has a
    /// suggestion for each.
    func parameters(ofRoute route: String?, orModule module: String?) -> [Completion.Suggestion] {
        let routes =
            route.map { host?.registry.snapshot.routes[$0].map { [$0.route] } ?? [] }
            ?? manifests.filter { $0.name == module }.flatMap(\.routes)
        return routes.flatMap(\.parameters).flatMap { parameter -> [Completion.Suggestion] in
            let values = parameter.type.kind == .boolean ? ["true", "false"] : parameter.type.allowed.map(\.text)
            return (values.isEmpty ? [""] : values).map {
                .init(text: "\(parameter.name)=\($0)", summary: parameter.summary)
            }
        }
    }
}
