import HostSystem
import ModuleCatalog

extension RegistryReader {
    package func graph() async -> String {
        await BlockingWork.run { [snapshot = registry.snapshot, isIsolated, picture] in
            picture.text(of: snapshot) { GraphPicture(ModuleGraph(snapshot, isIsolated)).text }
        }
    }
}

extension ModuleGraph {
    fileprivate init(_ snapshot: RegistrySnapshot, _ isIsolated: (Manifest) -> Bool) {
        let modules = snapshot.modules.map { record in
            var module = ModuleGraph.Module(
                name: record.name, version: record.manifest?.version, state: record.state.name,
                isIsolated: record.manifest.map(isIsolated) ?? false)
            guard let manifest = record.manifest else { return module }
            (module.points, module.contracts) = (manifest.contributes.keys.sorted(), manifest.contracts.keys.sorted())
            module.opens = manifest.opens
            return module
        }
        let routes = snapshot.routes.all.filter { !$0.isContested }.map { ($0.route.name, $0.module) }
        self.init(modules, snapshot.services, routes: Dictionary(routes) { first, _ in first })
    }
}
