import ViperKit

/// What a new module consists of, wherever it is put. One template for each kind of module.
struct ModuleTemplate {
    /// The Swift sources, and the Swift sources of the tests, by file name.
    var sources: [String: String]
    var tests: [String: String]
    /// Files that the module reads, by file name.
    var resources: [String: String] = [:]
    /// The manifest's keys behind those that every module has, as lines of JSON.
    var manifestKeys: String
    /// What to run to see it.
    var trial: String

    /// The kinds, as the options of `host new` name them.
    enum Kind: String {
        case list, form, service
    }

    static func of(_ kind: Kind, _ name: ModuleName) -> ModuleTemplate {
        switch kind {
        case .list: list(name)
        case .form: form(name)
        case .service: service(name)
        }
    }

    /// The manifest.
    ///
    /// - Parameter schema: Where editors find its schema, if it can be said.
    func manifest(_ name: ModuleName, schema: String?) -> String {
        let head = schema.map { "\n  \"$schema\": \"\($0)\"," } ?? ""
        return """
            {\(head)
              "name": "\(name.kebab)",
              "version": "1.0.0",
              "library": "lib\(name.type).so",
              "sdk": "\(SDK.version)",
            \(manifestKeys)
            }

            """
    }
}
