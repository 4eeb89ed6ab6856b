import FoundationEssentials
import ViperKit

/// A template with the name of a new module in place of its own.
///
/// Each template is a module with tests, whose name ends with `Template`. Its folder has the layout of a package that
/// `host new` creates. This package compiles the built-in templates and runs their tests. Their files are embedded in
/// the host, so `host new` needs no checkout to create a package's sources.
struct ModuleTemplate {
    // The contents of the files, keyed by their paths in the folder.
    let sources: [String: String]
    let tests: [String: String]
    let resources: [String: String]
    let manifests: [String: String]
    /// A command line that tries out the new module.
    let trial: String

    /// Creates a template of a built-in kind.
    init(_ kind: TemplateKind, name: ModuleName) {
        let files = kind.files().mapValues { String(decoding: $0, as: UTF8.self) }
        self.init(files, placeholder: kind.placeholder, name: name, trial: kind.trial(name))
    }

    /// Creates a template from files, which are keyed by paths such as `Sources/ListView.swift`.
    ///
    /// - Parameters:
    ///   - placeholder: The name of the template.
    ///   - name: The name of the new module.
    init(_ files: [String: String], placeholder: ModuleName, name: ModuleName, trial: String) {
        let replacements = [
            (placeholder.type, name.type), ("func \(placeholder.function)", "func \(name.function)"),
            (placeholder.kebab, name.kebab), (placeholder.title, name.title),
        ]
        func renamed(_ folder: String) -> [String: String] {
            var texts: [String: String] = [:]
            for (path, text) in files where path.hasPrefix(folder) {
                texts[String(path.dropFirst(folder.count)).replacing(replacements)] = text.replacing(replacements)
            }
            return texts
        }
        (sources, tests) = (renamed("Sources/"), renamed("Tests/"))
        (resources, manifests) = (renamed("Resources/"), renamed("Manifests/"))
        self.trial = trial
    }
}

extension String {
    /// Returns the text with placeholders replaced in one pass, so that no inserted text is replaced. At each place, the
    /// first placeholder that matches is replaced.
    func replacing(_ replacements: [(placeholder: String, text: String)]) -> String {
        let replacements = replacements.map { (Array($0.placeholder.utf8), $0.text.utf8) }
        var (rest, result) = (Array(utf8)[...], [UInt8]())
        while let byte = rest.first {
            if let (placeholder, text) = replacements.first(where: { rest.starts(with: $0.0) }) {
                result += text
                rest = rest.dropFirst(placeholder.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
