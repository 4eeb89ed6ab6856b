import FoundationEssentials

/// A template from the folder `Templates`, with the name of a new module in place of its own.
///
/// The templates are modules with tests, which this package compiles and runs. Their folders have the layout of a
/// package that `host new` writes. The host contains their files, so that it needs no checkout to write a module.
struct ModuleTemplate {
    let kind: TemplateKind
    let name: ModuleName

    // Texts by file name.
    var sources: [String: String] { files(in: "Sources/") }
    var tests: [String: String] { files(in: "Tests/") }
    var resources: [String: String] { files(in: "Resources/") }
    var manifests: [String: String] { files(in: "Manifests/") }

    /// A command that tries the module out.
    var trial: String {
        switch kind {
        case .list: "host run \(name.kebab) --select 0"
        case .form: "host run \(name.kebab) --fill name=Tea --fill amount=2 --press add"
        case .service: "host services --use data-provider=\(name.kebab)"
        }
    }

    private func files(in folder: String) -> [String: String] {
        var texts: [String: String] = [:]
        for (path, content) in kind.files where path.hasPrefix(folder) {
            texts[renamed(String(path.dropFirst(folder.count)))] = renamed(String(decoding: content, as: UTF8.self))
        }
        return texts
    }

    /// Replaces all four forms of the template's name. The order matters: no replacement inserts text that a later one
    /// would replace.
    private func renamed(_ text: String) -> String {
        let (small, capital) = (kind.rawValue, kind.rawValue.capitalized)
        return text.replacing("\(capital)Template", with: name.type)
            .replacing("func \(small)Template", with: "func \(name.function)")
            .replacing("\(small)-template", with: name.kebab)
            .replacing("\(capital) template", with: name.title)
    }
}
