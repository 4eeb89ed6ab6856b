import ViperKit

struct PersonInteractor: Interactor, PersonInteracting {
    let files: any FileReader

    func person(_ id: String) async throws(ViperError) -> PersonDetail? {
        let records = try await files.decode([PersonRecord].self, from: CompanyFile.name)
        guard let record = records.first(where: { $0.id == id }) else { return nil }
        do { return try record.person.get() } catch {
            throw ViperError(
                .recordInvalid, operation: "cannot read person", subject: id, cause: error.cause,
                notes: [.init("at", "\(CompanyFile.name) $\(error.path)")],
                fix: "fix the record in the file")
        }
    }
}
