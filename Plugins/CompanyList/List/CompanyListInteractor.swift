import ViperKit

/// The use case: read everybody from the company file.
struct CompanyListInteractor: Interactor, CompanyListInteracting {
    let files: any FileReader

    func people() async throws(ViperError) -> [Person] {
        try await files.decode([Person].self, from: CompanyFile.name)
    }
}
