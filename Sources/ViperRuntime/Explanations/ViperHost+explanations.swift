import HostSystem
import ModuleCatalog
import ModuleRuntime
package import ViperKit

extension ViperHost {
    /// Explains the routes, services, modules and libraries with this name. A route or a service is followed by the module
    /// that provides it.
    ///
    /// - Parameter name: The name, or a path to a library, whose file name counts.
    /// - Throws: ``ViperError/Code/nameUnknown`` if nothing has this name. The notes name the manifests that cannot be read,
    ///   because they may declare it.
    package func explanations(of name: String) async throws(ViperError) -> [Explanation] {
        let snapshot = registry.snapshot
        let library = pathNames(name).last ?? name
        var (explanations, modules) = ([Explanation](), [ModuleRecord]())
        if let entry = snapshot.routes[name] {
            explanations.append(explanation(of: entry, in: snapshot))
            modules += entry.claimants.compactMap { snapshot.module(from: $0) }
        }
        if let service = snapshot.services.first(where: { $0.name == name }) {
            explanations.append(explanation(of: service, in: snapshot))
            modules += snapshot.modules.filter { $0.name == service.selected }
        }
        modules += snapshot.modules.filter { record in
            record.name == name || record.file == name || record.manifest?.library == library
                || record.manifest?.routes.contains { $0.name == name } == true
        }
        if unreferencedLibraries.contains(library) { explanations.append(explanation(ofUnreferenced: library)) }
        // A module may have been found in several ways.
        var seen: Set<String> = []
        let distinct = modules.filter { seen.insert($0.file).inserted }
        if explanations.isEmpty, distinct.isEmpty {
            let module = registry.disabledModule { manifest in
                manifest.name == name || manifest.library == library || manifest.routes.contains { $0.name == name }
            }
            guard let module else { throw unknown(name, in: snapshot) }
            return [explanation(ofDisabled: module)]
        }
        let numbers = distinct.contains { $0.generation != nil } ? await statistics() : []
        return await BlockingWork.run { [self, explanations] in
            explanations
                + distinct.map { record in
                    explanation(of: record, in: snapshot, numbers.first { $0.module == record.name })
                }
        }
    }

    private func unknown(_ name: String, in snapshot: RegistrySnapshot) -> ViperError {
        let names =
            snapshot.modules.map(\.name) + snapshot.routes.all.map(\.route.name) + snapshot.services.map(\.name)
            + snapshot.modules.compactMap { $0.manifest?.library } + unreferencedLibraries
        let near = nearestNames(to: name, in: Set(names))
        let unread = snapshot.modules.filter { $0.manifest == nil }.compactMap(\.state.refusal)
        return ViperError(
            .nameUnknown, operation: "cannot explain", subject: name,
            cause: "no module, route, service, library or error code has this name",
            notes: places(in: snapshot).map { .init("looked in", $0) }
                + unread.map { .init("cannot read", "\($0.subject): \($0.cause)") }
                + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]),
            fix: unread.first?.fix ?? "host check lists the problems of the root; host routes lists its routes")
    }

    /// The places in which the host has looked for modules.
    func places(in snapshot: RegistrySnapshot) -> [String] {
        let packed = snapshot.modules.count { $0.files.entry.isPacked }
        return [
            "\(root.manifests) (\(counted(snapshot.modules.count - packed, "manifest")))",
            "\(root.plugins) (\(packed == 1 ? "1 library" : "\(packed) libraries") with a manifest, "
                + "\(unreferencedLibraries.count) that no manifest refers to)",
        ]
    }

    private func explanation(ofDisabled module: String) -> Explanation {
        Explanation(
            .module, module, state: "disabled",
            steps: [.init("settings", "host.json names the module in \"disabled\", so the host does not load it")],
            fixes: ["enable it with host enable \(module)"])
    }

    private func explanation(ofUnreferenced library: String) -> Explanation {
        var explanation = Explanation(.library, library, state: "not used")
        explanation.add("file", "\(root.plugins)/\(library)")
        let modules = ModuleListing(of: self).findings
        let finding = modules.first { $0.error.code == .libraryUnreferenced && $0.error.subject == library }
        explanation.add("manifest", "no manifest refers to it, and it contains none", finding?.error)
        return explanation
    }

    private func explanation(of entry: RouteTable.Entry, in snapshot: RegistrySnapshot) -> Explanation {
        let (name, usage) = (entry.route.name, entry.route.usage)
        let owner = snapshot.module(from: entry.file)
        var explanation = Explanation(
            .route, name, state: entry.isContested ? "contested" : owner?.state.name ?? "unknown")
        for place in places(in: snapshot) { explanation.add("looked in", place) }
        if entry.isContested {
            let error = ModuleListing(of: self).findings.map(\.error)
                .first { $0.code == .routeContested && $0.subject == name }
            explanation.add("declared by", entry.claimants.joined(separator: ", "), error)
        } else {
            explanation.add("declared by", "module \(entry.module) in \(entry.file)")
        }
        if !usage.isEmpty { explanation.add("parameters", usage) }
        for record in snapshot.modules where snapshot.lostRoutes(of: record).contains(where: { $0.route.name == name })
        {
            explanation.add("also declared by", "module \(record.name), later; it does not get the route")
        }
        for module in router.modules(guarding: name) { explanation.add("guarded by", "module \(module)") }
        let users = snapshot.modules.filter { $0.manifest?.opens.contains(name) == true }.map(\.name)
        if !users.isEmpty { explanation.add("opened by", users.joined(separator: ", ")) }
        return explanation
    }

    private func explanation(of service: ServiceRecord, in snapshot: RegistrySnapshot) -> Explanation {
        var explanation = Explanation(
            .service, service.name,
            state: service.selected.map { "from \($0)" }
                ?? (service.providers.isEmpty ? "missing" : "no usable provider"))
        for provider in service.providers {
            let record = snapshot.modules.first { $0.name == provider }
            explanation.add("provided by", provider + (record.map { " (\($0.state.name))" } ?? " (the host)"))
        }
        if let selected = service.selected, service.providers.count > 1 {
            explanation.add(
                "selected",
                selected + (snapshot.isChosen(service.name) ? ": the settings choose it" : ": it came first"))
        }
        for user in service.consumers {
            let withheld = service.withheld[user]
            explanation.add(
                "used by",
                user + (service.choices[user].map { ", from \($0)" } ?? "") + (withheld == nil ? "" : ": withheld"),
                withheld)
        }
        for collector in service.collectors { explanation.add("used by", "\(collector), which uses all providers") }
        if service.selected == nil, service.collectors.isEmpty {
            explanation.fixes.append(
                "add a module that provides it, or choose a provider with --use \(service.name)=NAME")
        }
        return explanation
    }
}
