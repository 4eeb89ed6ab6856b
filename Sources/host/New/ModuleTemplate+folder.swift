import FoundationEssentials
import HostSystem
import ModuleCatalog
import ViperKit

extension ModuleTemplate {
    /// Creates a template from a folder of an author: a package of `host new`, whose name ends with `Template`.
    ///
    /// - Throws: `source-invalid` if the folder is not a template.
    init(folder: String, name: ModuleName) throws(ViperError) {
        let manifests = try fileNames(in: "\(folder)/Manifests", ending: ".json").filter {
            ManifestDraft(readingFile: "\(folder)/Manifests/\($0)").isManifest
        }
        guard let file = manifests.first, manifests.count == 1 else {
            throw Self.invalid(
                folder, "its folder Manifests has \(manifests.count) manifests, expected one",
                fix: "write the template as a package that host new creates")
        }
        let manifest = try Manifest(readingFile: "\(folder)/Manifests/\(file)", named: "\(folder)/Manifests/\(file)")
        let placeholder = ModuleName(unchecked: manifest.swiftModule)
        guard manifest.kind == .module, placeholder.type.hasSuffix("Template"), placeholder.kebab == manifest.name,
            placeholder.kebab != "template"
        else {
            throw Self.invalid(
                folder, "its manifest has the name \"\(manifest.name)\" and the library \"\(manifest.library)\"",
                fix: "name the template as in \"my-list-template\" and \"libMyListTemplate.so\"")
        }
        var files = ["Manifests/\(file)": try Self.text("\(folder)/Manifests/\(file)")]
        for (part, target) in [
            ("Sources", placeholder.type), ("Tests", "\(placeholder.type)Tests"), ("Resources", ""),
        ] {
            let nested = "\(folder)/\(part)/\(target)"
            let place = !target.isEmpty && isFolder(nested) ? nested : "\(folder)/\(part)"
            for path in (try? FileManager.default.subpathsOfDirectory(atPath: place)) ?? [] {
                let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
                if isHidden || isFolder("\(place)/\(path)") { continue }
                files["\(part)/\(path)"] = try Self.text("\(place)/\(path)")
            }
        }
        guard files.keys.contains(where: { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }) else {
            throw Self.invalid(folder, "its folder Sources has no Swift files", fix: "add the sources of a module")
        }
        self.init(
            files, placeholder: placeholder, name: name,
            trial: manifest.routes.isEmpty ? "host modules" : "host run \(name.kebab)")
    }

    private static func text(_ path: String) throws(ViperError) -> String {
        guard let text = sourceText(path) else {
            let cause = "it is not a readable file of UTF-8 text, with at most \(sourceLimit >> 20) MiB"
            throw invalid(path, cause, fix: "remove it from the template")
        }
        return text
    }

    private static func invalid(_ subject: String, _ cause: String, fix: String) -> ViperError {
        ViperError(.sourceInvalid, operation: "cannot use template", subject: subject, cause: cause, fix: fix)
    }
}
