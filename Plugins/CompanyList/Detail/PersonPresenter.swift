import ViperKit

/// The presenter of a person. It reads and formats the person, and a scene of another module shows the result.
final class PersonPresenter: PersonPresenting {
    weak var view: (any PersonViewing)?
    private let id: String
    private let interactor: any PersonInteracting
    private let wireframe: any PersonNavigating

    init(id: String, interactor: any PersonInteracting, wireframe: any PersonNavigating) {
        (self.id, self.interactor, self.wireframe) = (id, interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        let person: PersonDetail?
        do { person = try await interactor.person(id) } catch { return show(error, as: "Cannot read the person") }
        guard let person else {
            let message = "the list has no person with the id \"\(id)\""
            view?.show(Alert(title: "Nobody there", message: message, actions: [PersonAction.close]))
            return
        }
        do {
            try await wireframe.show(title: "\(person.name.first) \(person.name.last)", Self.details(of: person))
        } catch {
            show(error, as: "Cannot show the person")
        }
    }

    private func show(_ error: ViperError, as title: String) {
        view?.show(Alert(title: title, message: error.description, actions: [PersonAction.retry, .close]))
    }

    func press(_ action: PersonAction) async {
        switch action {
        case .retry: await load()
        case .close: await wireframe.close()
        }
    }

    private static func details(of person: PersonDetail) -> [(label: String, value: String)] {
        let details: [(label: String, value: String?)] = [
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
        return details.compactMap { detail in detail.value.map { (detail.label, $0) } }
    }
}
