import FoundationEssentials
import Glibc
import ViperKit
import ViperRuntime

/// `host new NAME`: writes a module, in this repository or as a package of its own. Overwrites nothing.
struct NewCommand {
    let options: Options

    func output() throws -> String {
        let name = try ModuleName(options.operands[0])
        let template = ModuleTemplate.of(options.kind ?? .list, name)
        if let folder = options.package { return try makePackage(name, template, in: folder) }
        return try addToRepository(name, template)
    }

    private func addToRepository(_ name: ModuleName, _ template: ModuleTemplate) throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let root = try Root.find(given: options.root, environment: environment).path
        let package = "\(root)/Package.swift"
        guard let text = try? String(contentsOfFile: package, encoding: .utf8), let modules = ModuleArray(text) else {
            throw ViperError(
                .rootMissing, "cannot add a module to", root,
                cause: "it is no checkout of this project: no Package.swift there has an array \"modules\"",
                mend: "write host new \(name.type) --package DIR for a package of its own")
        }
        // Its tests and its library would meet those of a target with the same name.
        let taken = ["Plugins/\(name.type)", "Sources/\(name.type)", "Tests/\(name.type)", "Tests/\(name.type)Tests"]
        if modules.names.contains(name.type) { throw exists(name, "Package.swift lists it") }
        for path in taken where isThere("\(root)/\(path)") { throw exists(name, "there is \(path)") }
        var files = NewFiles(in: root)
        files.add(template.sources, in: "Plugins/\(name.type)")
        files.add(template.resources, in: "Plugins/\(name.type)/Resources")
        files.add(template.tests, in: "Tests/\(name.type)Tests")
        files.add("Manifests/\(name.kebab).json", template.manifest(name, schema: "./module.schema.json"))
        try files.write()
        do {
            try modules.adding(name.type).write(toFile: package, atomically: true, encoding: .utf8)
        } catch {
            files.remove()
            throw ViperError(.outputFailed, "cannot write", package, cause: "\(error)")
        }
        return report(
            name, files.files.map(\.path) + ["Package.swift (one line added)"],
            ["swift build", template.trial, "swift test --filter \(name.type)Tests"])
    }

    private func makePackage(_ name: ModuleName, _ template: ModuleTemplate, in folder: String) throws -> String {
        let checkout = try Checkout.find()
        let package = PackageTemplate(name: name, checkout: checkout)
        var files = NewFiles(in: folder)
        files.add("Package.swift", package.package)
        files.add("README.md", package.readme(template))
        files.add(".gitignore", PackageTemplate.gitignore)
        if let format = try? String(contentsOfFile: "\(checkout)/.swift-format", encoding: .utf8) {
            files.add(".swift-format", format)
        }
        files.add(template.sources, in: "Sources/\(name.type)")
        files.add(template.resources, in: "Resources")
        files.add(template.tests, in: "Tests/\(name.type)Tests")
        files.add("Manifests/\(name.kebab).json", template.manifest(name, schema: nil))
        try files.write()
        return report(
            name, files.files.map { "\(folder)/\($0.path)" },
            ["swift test --package-path \(folder)", "host build \(folder)", template.trial])
    }

    private func report(_ name: ModuleName, _ paths: [String], _ next: [String]) -> String {
        let files = paths.map { "  \($0)\n" }.joined()
        return printableLines("Wrote the module \(name.kebab):\n\(files)Next:\n")
            + printableLines(next.map { "  \($0)\n" }.joined())
    }

    private func exists(_ name: ModuleName, _ cause: String) -> ViperError {
        ViperError(
            .fileExists, "cannot add module", name.type, cause: "\(cause), and nothing is overwritten",
            mend: "choose another name")
    }

    private func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
