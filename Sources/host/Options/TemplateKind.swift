/// A kind of module that `host new` writes. The raw value is the name of the option.
enum TemplateKind: String {
    case list, form, service
}
