import ViperKit

/// The use case: read everybody from the company file.
struct CompanyListInteractor: Interactor, CompanyListInteracting {
    static let file = "company.json"

    let files: any FileReader

    func people() async throws(ViperError) -> [Person] {
        try await files.decode([Person].self, from: Self.file)
    }
}
