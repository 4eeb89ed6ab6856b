import FoundationEssentials

/// A template from the folder `Templates`. The template's name is replaced with the name of a new module.
///
/// Each template is a module with tests. This package compiles the templates and runs their tests. A template's folder
/// has the layout of a package that `host new` creates. The files are embedded in the host, so `host new` needs no
/// checkout to create a package's sources.
struct ModuleTemplate {
    let kind: TemplateKind
    let name: ModuleName

    // The contents of the files, keyed by file name.
    var sources: [String: String] { files(in: "Sources/") }
    var tests: [String: String] { files(in: "Tests/") }
    var resources: [String: String] { files(in: "Resources/") }
    var manifests: [String: String] { files(in: "Manifests/") }

    /// A command line that tries out the new module.
    var trial: String {
        switch kind {
        case .list: "host run \(name.kebab) --select 0"
        case .form: "host run \(name.kebab) --fill name=Tea --fill amount=2 --press add"
        case .contract: "host build \(name.type)"
        case .service: "host services --use data-provider=\(name.kebab)"
        case .running: "host serve"
        }
    }

    private func files(in folder: String) -> [String: String] {
        var texts: [String: String] = [:]
        for (path, content) in kind.files where path.hasPrefix(folder) {
            texts[renamed(String(path.dropFirst(folder.count)))] = renamed(String(decoding: content, as: UTF8.self))
        }
        return texts
    }

    /// Replaces all four forms of the template's name. No replacement inserts text that a later replacement matches.
    private func renamed(_ text: String) -> String {
        let (small, capital) = (kind.rawValue, kind.rawValue.capitalized)
        return text.replacing("\(capital)Template", with: name.type)
            .replacing("func \(small)Template", with: "func \(name.function)")
            .replacing("\(small)-template", with: name.kebab)
            .replacing("\(capital) template", with: name.title)
    }
}
