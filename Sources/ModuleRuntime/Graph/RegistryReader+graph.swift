import HostSystem
import ModuleCatalog
import Synchronization

extension RegistryReader {
    package func graph() async -> String {
        await BlockingWork.run { [snapshot = registry.snapshot, isIsolated, picture] in
            picture.text(of: snapshot) { GraphPicture(ModuleGraph(snapshot, isIsolated)).text }
        }
    }
}

/// The last picture that was drawn. Several pages show it, and ask for it again and again.
final class LastPicture: Sendable {
    private struct State {
        // A strong reference would keep the generations of an earlier snapshot.
        weak var snapshot: RegistrySnapshot?
        var text = ""
    }

    private let state = Mutex(State())

    func text(of snapshot: RegistrySnapshot, drawing: () -> String) -> String {
        state.withLock { state in
            if state.snapshot !== snapshot { (state.snapshot, state.text) = (snapshot, drawing()) }
            return state.text
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
