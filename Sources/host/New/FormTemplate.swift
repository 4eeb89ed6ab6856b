extension ModuleTemplate {
    /// Returns the template of a form that stores its input, with all five roles.
    static func form(_ name: ModuleName) -> ModuleTemplate {
        ModuleTemplate(
            sources: [
                "\(name.type)Module.swift": formModule(name),
                "Entry.swift": entry,
                "FormProtocols.swift": formProtocols,
                "FormView.swift": formView(name),
                "FormViewModel.swift": formViewModel,
                "FormPresenter.swift": formPresenter,
                "FormInteractor.swift": formInteractor(name),
                "FormWireframe.swift": formWireframe,
            ],
            tests: ["FormRoleTests.swift": formRoleTests(name), "FormSceneTests.swift": formSceneTests(name)],
            manifestKeys: """
                  "routes": [{ "name": "\(name.kebab)", "summary": "Adds an entry" }],
                  "requires": ["data-provider"],
                  "provides": []
                """,
            trial: "host run \(name.kebab) --fill name=Tea --fill amount=2 --press add")
    }

    private static func formModule(_ name: ModuleName) -> String {
        #"""
        import ViperKit

        /// The library's entry: the host calls it once, after loading.
        @c(viper_module_v1_\#(name.type))
        public func \#(name.function)Module() -> UnsafeRawPointer {
            ModuleEntry.export(\#(name.type)Module.self)
        }

        /// Adds entries. Where they are kept is the data provider's business.
        final class \#(name.type)Module: RoutedModule {
            private let provider: any DataProvider

            init(services: any ServiceResolver) throws {
                provider = try services.resolve(.dataProvider)
            }

            func view(for request: RouteRequest) -> any View {
                FormWireframe.assemble(provider: provider, navigator: request.navigator)
            }
        }

        """#
    }

    private static let entry = #"""
        import ViperKit

        /// What the form adds.
        struct Entry: Record, Equatable {
            var id: String
            var name: String
            var amount: Int
        }

        """#

    private static let formProtocols = #"""
        import ViperKit

        // What the roles know of each other. In its test, each role has fakes around it.

        /// What the presenter asks of the view.
        @MainActor
        protocol FormViewing: AnyObject {
            func show(_ form: Form)
            /// Shows an alert in front of the form; nil takes it away.
            func show(_ alert: Alert?)
            /// Shows a text in place of the form.
            func showAdded(_ text: String)
        }

        /// What the view asks of the presenter.
        @MainActor
        protocol FormPresenting: AnyObject {
            func load()
            func fill(_ field: String, _ text: String)
            func press(_ action: String) async
        }

        /// What the presenter asks of the interactor.
        protocol FormInteracting: Sendable {
            func add(name: String, amount: Int) async throws(ViperError) -> Entry
        }

        /// What the presenter asks of the wireframe.
        @MainActor
        protocol FormNavigating: AnyObject {
            /// Closes the form; whoever opened it hears what was added.
            func close(returning entry: Entry?) async throws(ViperError)
        }

        /// What a person can do here: the view or an alert shows it, and the presenter does it.
        enum FormAction {
            static let add = Action(id: "add", title: "Add")
            static let cancel = Action(id: "cancel", title: "Cancel")
            static let dismiss = Action(id: "dismiss", title: "Back to the form")
        }

        """#

    private static func formView(_ name: ModuleName) -> String {
        #"""
        import Observation
        import ViperKit

        /// Describes the form as a screen, and passes on what is typed and pressed.
        @Observable
        final class FormView: View, FormViewing {
            private(set) var screen = Screen(title: "\#(name.title)")
            private let presenter: any FormPresenting

            init(presenter: any FormPresenting) {
                self.presenter = presenter
                screen.actions = [FormAction.add, FormAction.cancel]
            }

            func viewDidLoad() async { presenter.load() }

            func handle(_ event: Event) async {
                switch event {
                case .fill(let field, let text): presenter.fill(field, text)
                case .press(let action): await presenter.press(action)
                default: break
                }
            }

            func show(_ form: Form) { screen.form = form }

            func show(_ alert: Alert?) { screen.alert = alert }

            func showAdded(_ text: String) {
                screen.text = text
                screen.form = nil
                screen.actions = []
            }
        }

        """#
    }

    private static let formViewModel = #"""
        import ViperKit

        /// What was typed into the form, and what is wrong with it. What was typed is never lost.
        struct FormViewModel: Equatable {
            var name = ""
            var amount = ""
            private(set) var nameError: String?
            private(set) var amountError: String?

            static let amounts = 1...100

            /// Checks every field, and says beside each what is wrong.
            ///
            /// - Returns: Name and amount, or nil when something is wrong.
            mutating func validate() -> (name: String, amount: Int)? {
                let number = Int(amount).flatMap { Self.amounts.contains($0) ? $0 : nil }
                nameError = name.allSatisfy(\.isWhitespace) ? "must not be empty" : nil
                let (least, most) = (Self.amounts.lowerBound, Self.amounts.upperBound)
                amountError = number == nil ? "must be a whole number from \(least) to \(most)" : nil
                guard nameError == nil, let number else { return nil }
                return (name, number)
            }

            /// The form as it stands.
            var form: Form {
                var nameField = Field(name: "name", label: "Name", value: name, kind: .text)
                nameField.error = nameError
                var amountField = Field(name: "amount", label: "Amount", value: amount, kind: .number)
                amountField.error = amountError
                return Form(fields: [nameField, amountField])
            }
        }

        """#

    private static let formPresenter = #"""
        import ViperKit

        /// Takes what is typed, checks it, and adds the entry.
        final class FormPresenter: Presenter, FormPresenting {
            weak var view: (any FormViewing)?
            private var model = FormViewModel()
            private let interactor: any FormInteracting
            private let wireframe: any FormNavigating

            init(interactor: any FormInteracting, wireframe: any FormNavigating) {
                (self.interactor, self.wireframe) = (interactor, wireframe)
            }

            func load() { view?.show(model.form) }

            func fill(_ field: String, _ text: String) {
                switch field {
                case "name": model.name = text
                case "amount": model.amount = text
                default: break
                }
                view?.show(model.form)
            }

            func press(_ action: String) async {
                switch action {
                case FormAction.add.id: await add()
                // Without a result nothing can fail.
                case FormAction.cancel.id: try? await wireframe.close(returning: nil)
                case FormAction.dismiss.id: view?.show(nil)
                default: break
                }
            }

            private func add() async {
                let input = model.validate()
                view?.show(model.form)
                guard let input else { return }
                let entry: Entry
                do { entry = try await interactor.add(name: input.name, amount: input.amount) } catch {
                    show("Cannot add the entry", error)
                    return
                }
                view?.showAdded("Added \(entry.amount) × \(entry.name)")
                do { try await wireframe.close(returning: entry) } catch { show("Cannot close the form", error) }
            }

            private func show(_ title: String, _ error: ViperError) {
                view?.show(Alert(title: title, message: error.summary, actions: [FormAction.dismiss]))
            }
        }

        """#

    private static func formInteractor(_ name: ModuleName) -> String {
        #"""
        import ViperKit

        /// The use case: add an entry.
        struct FormInteractor: Interactor, FormInteracting {
            static let collection = "\#(name.kebab)"

            let provider: any DataProvider

            func add(name: String, amount: Int) async throws(ViperError) -> Entry {
                let id = String(UInt64.random(in: .min ... .max), radix: 16)
                let entry = Entry(id: id, name: name, amount: amount)
                try await provider.insert(entry, into: Self.collection)
                return entry
            }
        }

        """#
    }

    private static let formWireframe = #"""
        import ViperKit

        /// Assembles the form's roles, and navigates from it.
        final class FormWireframe: Wireframe, FormNavigating {
            private let navigator: any Navigator

            init(navigator: any Navigator) { self.navigator = navigator }

            static func assemble(provider: any DataProvider, navigator: any Navigator) -> any View {
                let presenter = FormPresenter(
                    interactor: FormInteractor(provider: provider), wireframe: FormWireframe(navigator: navigator))
                let view = FormView(presenter: presenter)
                presenter.view = view
                return view
            }

            func close(returning entry: Entry?) async throws(ViperError) {
                try await navigator.close(returning: entry)
            }
        }

        """#
}
