/// A kind of module that `host new` creates. The raw value is the name of the option without its dashes.
enum TemplateKind: String {
    case list, form, service, contract, running
}
