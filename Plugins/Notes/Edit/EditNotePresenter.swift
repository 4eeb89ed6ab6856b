import ViperKit

final class EditNotePresenter: EditNotePresenting {
    weak var view: (any EditNoteViewing)?
    private let interactor: any EditNoteInteracting
    private let wireframe: any EditNoteNavigating
    /// The stored note that the user knows of: as the form first showed it, or as it was when the user was told of a change.
    private var shown: Note?
    private var title = ValidatedField.nonEmpty(EditNoteField.title)
    private var text = ""
    private var day = ValidatedField.day(EditNoteField.day)

    init(interactor: any EditNoteInteracting, wireframe: any EditNoteNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        do {
            if let note = try await interactor.note() {
                (title.text, text, day.text) = (note.title, note.text, note.day ?? "")
                shown = note
            }
        } catch { show("Cannot read the note", error) }
        showForm()
    }

    func fill(_ field: EditNoteField, with text: String) {
        switch field {
        // The user sees an error as soon as a field is filled.
        case .title:
            title.text = text
            _ = title.validate()
        case .text: self.text = text
        case .day:
            day.text = text
            _ = day.validate()
        }
        showForm()
    }

    func press(_ action: EditNoteAction) async {
        switch action {
        case .save: await save()
        // Closing throws only if the result cannot be encoded, and there is no result here.
        case .cancel: try? await wireframe.close(returning: nil)
        case .dismiss: view?.show(nil)
        }
    }

    private func save() async {
        let (title, day) = (title.validate(), day.validate())
        showForm()
        guard let title, let day else { return }
        do {
            try await interactor.save(title: title, text: text, day: day.isEmpty ? nil : day, insteadOf: shown)
            try await wireframe.close(returning: title)
        } catch {
            if error.code == .noteChanged { shown = try? await interactor.note() }
            show("Cannot save the note", error)
        }
    }

    private func showForm() {
        view?.show(
            Form(fields: [title.field, Field(id: EditNoteField.text, value: text), day.field]),
            title: title.text.isEmpty ? "New note" : title.text)
    }

    private func show(_ title: String, _ error: ViperError) {
        view?.show(Alert(title: title, message: error.description, actions: [EditNoteAction.dismiss]))
    }
}
