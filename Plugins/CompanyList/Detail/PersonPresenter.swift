import ViperKit

/// Puts a person's fields into rows.
final class PersonPresenter: Presenter, PersonPresenting {
    weak var view: (any PersonViewing)?
    private let place: Int
    private let interactor: any PersonInteracting
    private let wireframe: any PersonNavigating

    init(place: Int, interactor: any PersonInteracting, wireframe: any PersonNavigating) {
        (self.place, self.interactor, self.wireframe) = (place, interactor, wireframe)
    }

    func load() async {
        do {
            if let person = try await interactor.person(at: place) {
                view?.show(title: "\(person.name.first) \(person.name.last)", Self.fields(of: person))
            } else {
                show("Nobody there", "the list has no person number \(place)")
            }
        } catch {
            show("Cannot read the list", error.description)
        }
    }

    func press(_ action: String) async {
        if action == PersonAction.close.id { await wireframe.close() }
    }

    private func show(_ title: String, _ message: String) {
        view?.show(Alert(title: title, message: message, actions: [PersonAction.close]))
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
