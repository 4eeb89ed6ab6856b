import ViperKit

/// The use case that adds an entry.
struct FormInteractor: Interactor, FormInteracting {
    static let collection = "form-template"

    let provider: any DataProvider

    func add(name: String, amount: Int) async throws(ViperError) -> Entry {
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        let entry = Entry(id: id, name: name, amount: amount)
        try await provider.insert(entry, into: Self.collection)
        return entry
    }
}
