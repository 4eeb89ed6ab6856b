import ViperKit

/// The use case that reads all items.
struct ListInteractor: Interactor, ListInteracting {
    static let file = "items.json"

    let files: any FileReader

    func items() async throws(ViperError) -> [Item] {
        try await files.decode([Item].self, from: Self.file)
    }
}
