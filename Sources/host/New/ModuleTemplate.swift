import ViperKit

/// The contents of a new module. There is one template for each kind of module.
struct ModuleTemplate {
    /// Swift sources and tests, by file name.
    var sources: [String: String]
    var tests: [String: String]
    /// Files that the module reads, by file name.
    var resources: [String: String] = [:]
    /// The JSON lines of the manifest after the keys that all manifests share.
    var manifestKeys: String
    /// A command that tries the module out.
    var trial: String

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

    /// Returns the manifest.
    ///
    /// - Parameter schema: The path of the JSON schema for editors, or nil if it is unknown.
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
