import FoundationEssentials
import Glibc
import HostSystem
import ModuleCatalog
import ViperKit

/// `host new NAME`: creates a module in a checkout of this project or as a separate package, or adds a scene to one. The
/// command overwrites no files. In a checkout, it also adds a line to Package.swift.
struct NewCommand: Command {
    var module = ""
    /// The folder of a new package. If nil, the module is added to a checkout of this project.
    var package: String?
    /// The kind of module. If nil, the kind is ``TemplateKind/list``.
    var kind: TemplateKind?
    /// The folder of an author's template. If nil, the template is the one of the kind.
    var template: String?
    /// The name of a scene to add to an existing module. If nil, the command creates a module.
    var scene: String?
    var root = RootOptions()

    static let name = "new"
    static let summary = "Create a module: sources, tests, manifest"
    static let example = "new ShoppingList --package shopping-list"
    static let operands = [Operand("NAME", \Self.module)]
    static let options =
        [Option<Self>("--package", value: "DIR", summary: "Create a package in this folder") { $0.package = $1 }]
        + TemplateKind.all.map { kind in
            Option("--\(kind.option)", summary: kind.summary) { command throws(ViperError) in try command.choose(kind) }
        } + [
            Option("--template", value: "DIR", summary: "Create a module from this template") { $0.template = $1 },
            Option("--scene", value: "SCENE", summary: "Add this scene to the module NAME, which exists") {
                $0.scene = $1
            },
        ] + RootOptions.all.map { $0.at(\.root) }
    static let details =
        """
        The command overwrites nothing. In a checkout of this project, the module becomes a bundled module, and its \
        name is added to Package.swift. --package makes a package of its own instead, and excludes --root. \
        --contract makes a folder of sources in the current folder instead.

        A template is a package whose name ends with Template, such as MyListTemplate with the manifest \
        my-list-template. The command replaces the forms of this name: MyListTemplate, func myListTemplate, \
        my-list-template and My list template.

        --scene adds the files of a scene with a test, registers its route, and adds the route to the manifest.
        """

    private mutating func choose(_ kind: TemplateKind) throws(ViperError) {
        if let other = self.kind, other.option != kind.option {
            throw Self.conflict("--\(kind.option)", "--\(other.option)")
        }
        self.kind = kind
    }

    func check() throws(ViperError) {
        let kind = kind.map { "--\($0.option)" }
        let template = template.map { _ in "--template" }
        let place = package == nil ? root.path.map { _ in "--root" } : "--package"
        if let kind, let template { throw Self.conflict(template, kind) }
        if scene != nil, let other = template ?? kind { throw Self.conflict("--scene", other) }
        if kind == "--contract", let place { throw Self.conflict(place, "--contract") }
        if package != nil, root.path != nil { throw Self.conflict("--root", "--package") }
    }

    private static func conflict(_ option: String, _ other: String) -> ViperError {
        invalidArgument(option, "it cannot be combined with \(other)", fix: "remove one of them")
    }

    func output() throws -> String {
        if let scene { return try addScene(try ModuleName(scene)) }
        let name = try ModuleName(module)
        let kind = kind ?? .list
        let template =
            try template.map { folder throws(ViperError) in try ModuleTemplate(folder: folder, name: name) }
            ?? ModuleTemplate(kind, name: name)
        if kind.option == TemplateKind.contract.option { return try makeContract(name, template) }
        if let folder = packageFolder { return try makePackage(name, template, in: folder) }
        return try addToRepository(name, template)
    }

    /// The folder of the package without slashes at its end.
    private var packageFolder: String? {
        package.map { package in
            let path = String(package.reversed().drop { $0 == "/" }.reversed())
            return path.isEmpty ? "/" : path
        }
    }

    private func addScene(_ name: ModuleName) throws -> String {
        let folder = try packageFolder ?? root.find().real.path
        let lock = try FolderLock(folder)
        defer { extendLifetime(lock) }
        let layout =
            package == nil
            ? ModuleLayout(inCheckout: folder, module) : ModuleLayout(ofPackage: folder, module)
        let scene = try SceneTemplate(name, in: layout)
        try scene.write()
        let changed = [scene.manifest.path, scene.registration.path].map { "\($0) (route added)" }
        let next =
            package == nil
            ? ["swift build", "host run \(scene.route)", "swift test --filter \(module)Tests"]
            : [
                "swift test --package-path \(shellQuoted(folder))", "host build \(shellQuoted(folder))",
                "host run \(scene.route)",
            ]
        let (prefix, place) = package == nil ? ("", place(folder)) : ("\(folder)/", "")
        return report(
            name, (scene.files.keys.sorted() + changed).map { prefix + $0 }, next, in: place, noun: "scene")
    }

    private func addToRepository(_ name: ModuleName, _ template: ModuleTemplate) throws -> String {
        let root = try root.find().real.path
        let package = "\(root)/Package.swift"
        let lock = try FolderLock(root)
        defer { extendLifetime(lock) }
        guard let text = sourceText(package), let modules = ModuleArray(text) else {
            throw ViperError(
                .rootMissing, operation: "cannot add a module to", subject: root,
                cause: "it is not a checkout of this project: it has no Package.swift with an array \"modules\"",
                fix: "write host new \(name.type) --package DIR to create a separate package")
        }
        if modules.names.contains(name.type) { throw exists(name, "Package.swift already lists it") }
        try checkFree(name, in: root)
        var files = NewFiles(in: root)
        files.add(template.sources, in: "Plugins/\(name.type)")
        files.add(template.resources, in: "Plugins/\(name.type)/Resources")
        files.add(template.tests, in: "Tests/\(name.type)Tests")
        let schema = "{\n  \"$schema\": \"./module.schema.json\","
        files.add(
            template.manifests.mapValues { $0.contains("\"$schema\"") ? $0 : schema + $0.dropFirst() }, in: "Manifests")
        try files.write { () throws(ViperError) in
            do { try modules.adding(name.type).write(toFile: package, atomically: true, encoding: .utf8) } catch {
                throw ViperError(
                    .outputFailed, operation: "cannot write file", subject: package, cause: systemReason(error))
            }
        }
        return report(
            name, files.files.map(\.path) + ["Package.swift (one line added)"],
            ["swift build", template.trial, "swift test --filter \(name.type)Tests"], in: place(root))
    }

    /// Creates the folder of a contract. It belongs to no package, because SwiftPM would link it statically into each
    /// module of a package.
    private func makeContract(_ name: ModuleName, _ template: ModuleTemplate) throws -> String {
        var files = NewFiles(in: name.type)
        for (file, text) in template.sources.sorted(by: { $0.key < $1.key }) { files.add(file, text) }
        for (file, text) in template.manifests { files.add(file, text) }
        try files.write()
        return report(name, files.files.map { "\(name.type)/\($0.path)" }, [template.trial], noun: "contract")
    }

    /// Throws an error if the checkout already has a target, module or route with a name that the new module needs.
    private func checkFree(_ name: ModuleName, in root: String) throws(ViperError) {
        let paths = ["Plugins/\(name.type)", "Sources/\(name.type)", "Tests/\(name.type)", "Tests/\(name.type)Tests"]
        for path in paths where isThere("\(root)/\(path)") { throw exists(name, "\(path) already exists") }
        for file in try fileNames(in: "\(root)/Manifests", ending: ".json") {
            guard let manifest = try? Manifest(readingFile: "\(root)/Manifests/\(file)", named: file) else { continue }
            if manifest.name == name.kebab || manifest.routes.contains(where: { $0.name == name.kebab }) {
                throw exists(name, "Manifests/\(file) already declares a module or route \(name.kebab)")
            }
        }
    }

    func report(
        _ name: ModuleName, _ paths: [String], _ next: [String], in place: String = "", noun: String = "module"
    ) -> String {
        let files = paths.map { "  \($0)\n" }.joined()
        return "Created \(noun) \(name.kebab)\(place):\n\(files)Next:\n" + next.map { "  \($0)\n" }.joined()
    }

    private func exists(_ name: ModuleName, _ cause: String) -> ViperError {
        ViperError(
            .fileExists, operation: "cannot add module", subject: name.type, cause: cause,
            fix: "choose another name")
    }

    private func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
