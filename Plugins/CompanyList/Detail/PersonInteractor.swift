import ViperKit

/// The use case: find one person in the company file.
struct PersonInteractor: Interactor, PersonInteracting {
    let files: any FileReader

    func person(at place: Int) async throws(ViperError) -> PersonDetail? {
        let people = try await files.decode([PersonDetail].self, from: CompanyFile.name)
        return people.indices.contains(place) ? people[place] : nil
    }
}
