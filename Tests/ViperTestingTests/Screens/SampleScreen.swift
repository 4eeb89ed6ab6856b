import ViperKit

/// A screen with most parts.
func sampleScreen() -> Screen {
    var screen = Screen(title: "Order")
    screen.alert = Alert(title: "Not saved", message: "The server is busy.", actions: [OrderAction.retry])
    screen.text = "Two things are in your basket."
    screen.sections = [
        Section(
            title: "Basket",
            rows: [
                Row(id: 7, title: "Tea", detail: "2.50"),
                Row(id: 12, title: "Bread", detail: "3.10"),
            ])
    ]
    screen.form = Form(fields: [
        Field(id: OrderField.name, value: "Ada"),
        Field(id: OrderField.number, value: "x", error: "must be a number"),
        Field(id: OrderField.pin, value: "1234"),
    ])
    screen.actions = [Action(OrderAction.order), Action(id: "cancel", title: "Back to the shop")]
    screen.isLoading = true
    return screen
}

enum OrderAction: String, ActionID { case order, retry }

enum OrderField: String, FieldID {
    case name, number, pin

    var kind: Field.Kind {
        switch self {
        case .name: .text
        case .number: .number
        case .pin: .password
        }
    }
}
