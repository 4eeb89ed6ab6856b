import FoundationEssentials
import HostSystem
import ModuleCatalog
import ViperKit

/// A new scene of an existing module. It consists of the files of a scene, a route in the manifest, and the
/// registration of this route in the module.
struct SceneTemplate {
    let layout: ModuleLayout
    let scene: ModuleName
    /// The new files, with paths relative to the folder of the layout.
    let files: [String: String]
    /// The path of the manifest relative to the folder, and its new text.
    let manifest: (path: String, text: String)
    /// The path of the file that registers the routes, and its new text.
    let registration: (path: String, text: String)
    /// The name of the scene's route.
    let route: String

    private static let placeholder = ModuleName(unchecked: "NewScene")

    /// Creates a scene.
    ///
    /// - Throws: An error if the module does not exist, or already has such a route or files with these names.
    init(_ scene: ModuleName, in layout: ModuleLayout) throws(ViperError) {
        let path = try layout.manifest()
        let place = "\(layout.folder)/\(path)"
        let declared = try Manifest(readingFile: place, named: place)
        let route = "\(declared.name)/\(scene.kebab)"
        (self.layout, self.scene, self.route) = (layout, scene, route)
        if declared.routes.contains(where: { $0.name == route }) {
            throw Self.failure(
                scene, .fileExists, "\(path) already has the route \"\(route)\"", fix: "choose another name")
        }
        let template = TemplateKind.scene
        let old = (type: template.placeholder.type, kebab: template.placeholder.kebab)
        let replacements = [
            (old.type, layout.target), ("\(old.kebab)/\(Self.placeholder.kebab)", route), (old.kebab, declared.name),
            (Self.placeholder.type, scene.type), (Self.placeholder.kebab, scene.kebab),
            (Self.placeholder.title, scene.title),
        ]
        let texts = template.files().mapValues { String(decoding: $0, as: UTF8.self).replacing(replacements) }
        files = try Self.files(texts, replacements, scene, in: layout)

        guard let text = sourceText(place),
            let changed = JSONRoutes.adding(
                #"{ "name": "\#(route)", "summary": "Shows \#(scene.title)" }"#, toManifest: text),
            let result = try? Manifest(text: Data(changed.utf8), named: path),
            result.routes.dropLast() == declared.routes[...], result.routes.last?.name == route
        else {
            throw Self.failure(
                scene, .sourceInvalid, "\(path) has no list \"routes\" to add to", fix: "add \"routes\": [] to it")
        }
        manifest = (path, changed)
        registration = try Self.registration(
            of: texts["Sources/SceneTemplateModule.swift"] ?? "", for: scene, in: layout)
    }

    /// Returns the files of the scene. The other files of the template are those of its module.
    private static func files(
        _ texts: [String: String], _ replacements: [(String, String)], _ scene: ModuleName, in layout: ModuleLayout
    ) throws(ViperError) -> [String: String] {
        // SwiftPM refuses two files with the same name in one target.
        let names = Set(layout.swiftFiles.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
        var files: [String: String] = [:]
        for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
            let parts = path.split(separator: "/")
            guard let name = parts.last, name.hasPrefix(placeholder.type) else { continue }
            let file = String(name).replacing(replacements)
            if parts[0] == "Sources", names.contains(file) {
                throw failure(
                    scene, .fileExists, "\(layout.sources) already has a file \(file)", fix: "choose another name")
            }
            files[parts[0] == "Sources" ? "\(layout.sources)/\(scene.type)/\(file)" : "\(layout.tests)/\(file)"] = text
        }
        return files
    }

    /// Returns the file that registers the module's routes, with the registration of the template's module added.
    private static func registration(
        of module: String, for scene: ModuleName, in layout: ModuleLayout
    ) throws(ViperError) -> (path: String, text: String) {
        func isStart(_ line: Substring) -> Bool {
            line.contains("static func register(with registrar:") && (line.hasSuffix("{") || line.hasSuffix("{}"))
        }
        let lines = module.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.drop { !isStart($0) }.dropFirst().prefix { $0 != "    }" }
        for file in layout.swiftFiles {
            let path = "\(layout.sources)/\(file)"
            guard let text = sourceText("\(layout.folder)/\(path)") else { continue }
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard let index = lines.firstIndex(where: isStart) else { continue }
            if lines[index].hasSuffix("{}") {
                lines[index].removeLast()
                lines.insert("    }", at: index + 1)
            }
            lines.insert(contentsOf: body, at: index + 1)
            return (path, lines.joined(separator: "\n"))
        }
        throw failure(
            scene, .sourceInvalid,
            "no file in \(layout.sources) has \"static func register(with registrar:\" in one line",
            fix: "write the module's registration as host new does")
    }

    private static func failure(
        _ scene: ModuleName, _ code: ViperError.Code, _ cause: String, fix: String
    ) -> ViperError {
        ViperError(code, operation: "cannot add scene", subject: scene.type, cause: cause, fix: fix)
    }

    /// Writes the new files, and changes the manifest and the registration. If this fails, nothing is changed.
    func write() throws(ViperError) {
        var files = NewFiles(in: layout.folder)
        for (path, text) in self.files.sorted(by: { $0.key < $1.key }) { files.add(path, text) }
        try files.write { () throws(ViperError) in
            let place = "\(layout.folder)/\(manifest.path)"
            let earlier = sourceText(place)
            try Self.replace(manifest.text, in: place)
            do throws(ViperError) {
                try Self.replace(registration.text, in: "\(layout.folder)/\(registration.path)")
            } catch {
                if let earlier { try Self.replace(earlier, in: place) }
                throw error
            }
        }
    }

    private static func replace(_ text: String, in path: String) throws(ViperError) {
        do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch {
            throw ViperError(
                .outputFailed, operation: "cannot write file", subject: path, cause: systemReason(error),
                fix: "make it writable")
        }
    }
}
