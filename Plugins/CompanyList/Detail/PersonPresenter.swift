import ViperKit

final class PersonPresenter: PersonPresenting {
    weak var view: (any PersonViewing)?
    private let id: String
    private let interactor: any PersonInteracting
    private let wireframe: any PersonNavigating

    init(id: String, interactor: any PersonInteracting, wireframe: any PersonNavigating) {
        (self.id, self.interactor, self.wireframe) = (id, interactor, wireframe)
    }

    func load() async {
        do {
            if let person = try await interactor.person(id) {
                view?.show(title: "\(person.name.first) \(person.name.last)", Self.fields(of: person))
            } else {
                view?.show(
                    Alert(
                        title: "Nobody there", message: "the list has no person with the id \"\(id)\"",
                        actions: [PersonAction.close]))
            }
        } catch {
            view?.show(
                Alert(
                    title: "Cannot read the person", message: error.description,
                    actions: [PersonAction.retry, .close]))
        }
    }

    func press(_ action: PersonAction) async {
        switch action {
        case .retry: await load()
        case .close: await wireframe.close()
        }
    }

    private static func fields(of person: PersonDetail) -> [Row] {
        let fields: [(label: String, value: String?)] = [
            ("Company", person.company),
            ("Balance", person.balance),
            ("Age", person.age.map(String.init)),
            ("Eyes", person.eyeColor),
            ("E-mail", person.email),
            ("Phone", person.phone),
            ("Address", person.address),
            ("Favourite fruit", person.favoriteFruit),
            ("Active", person.isActive.map { $0 ? "yes" : "no" }),
        ]
        return fields.compactMap { field in field.value.map { Row(id: field.label, title: field.label, detail: $0) } }
    }
}
