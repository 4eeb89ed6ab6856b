import ViperKit

struct CompanyListInteractor: Interactor, CompanyListInteracting {
    let files: any FileReader

    func people() async throws(ViperError) -> [Person] {
        let people = try await files.decode([Person].self, from: CompanyFile.name)
        var ids: Set<String> = []
        if let twin = people.first(where: { !ids.insert($0.id).inserted }) {
            throw ViperError(
                .recordExists, operation: "cannot read file", subject: CompanyFile.name,
                cause: "two people have the _id \"\(twin.id)\"",
                fix: "give each person a unique _id")
        }
        return people
    }
}
