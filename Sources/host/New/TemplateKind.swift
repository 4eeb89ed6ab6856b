/// A kind of module that `host new` creates, with everything that depends on the kind.
struct TemplateKind: Sendable {
    /// The name of the option without its dashes, such as `front-end`.
    let option: String
    /// The option's line in the help.
    let summary: String
    /// Returns a command line that tries out a new module.
    let trial: @Sendable (ModuleName) -> String
    /// Returns the contents of the template's files, keyed by their paths in the template's folder.
    let files: @Sendable () -> [String: [UInt8]]

    init(
        _ option: String, summary: String, trial: @escaping @Sendable (ModuleName) -> String,
        files: @escaping @Sendable () -> [String: [UInt8]]
    ) {
        (self.option, self.summary, self.trial, self.files) = (option, summary, trial, files)
    }

    /// The name of the template, such as `FrontEndTemplate`. Its forms are the placeholders in the template's files.
    var placeholder: ModuleName {
        ModuleName(
            unchecked: option.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
                + "Template")
    }
}
