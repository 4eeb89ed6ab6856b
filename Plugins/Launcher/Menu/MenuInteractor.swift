import ViperKit

struct MenuInteractor: Interactor, MenuInteracting {
    let registry: any ModuleRegistry

    func entries() async throws(ViperError) -> [MenuEntry] {
        let entries = try await registry.contributions(to: "menu", as: MenuItem.self)
            .map { (key: Self.key(of: $0.value), entry: MenuEntry(module: $0.module, item: $0.value)) }
        return entries.sorted { $0.key < $1.key }.map(\.entry)
    }

    func changes() -> AsyncStream<Void> { registry.changes() }

    /// Returns the key that sorts an entry. Entries without an item come last.
    private static func key(of item: Result<MenuItem, ViperError>) -> (Int, String) {
        switch item {
        case .success(let item): (0, item.title.lowercased())
        case .failure: (1, "")
        }
    }
}
