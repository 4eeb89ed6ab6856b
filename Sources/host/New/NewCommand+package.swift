import FoundationEssentials
import ViperKit

extension NewCommand {
    func makePackage(_ name: ModuleName, _ template: ModuleTemplate, in folder: String) throws -> String {
        let checkout = try Checkout.find()
        // SwiftPM identifies a package by its folder name and ignores case.
        let own = folder.split(separator: "/").last?.lowercased()
        if own == "viperkit" || own == checkout.split(separator: "/").last?.lowercased() {
            throw ViperError(
                .usage, operation: "cannot create a package in", subject: folder,
                cause: "a package that it depends on has the same folder name",
                fix: "choose another folder")
        }
        if let place = taken(name.type, in: checkout) {
            let free = (try? ModuleName("\(name.type)List")).flatMap { taken($0.type, in: checkout) == nil ? $0 : nil }
            throw ViperError(
                .usage, operation: "cannot create package", subject: name.type,
                cause: "the checkout that it depends on contains \(place), and SwiftPM requires unique target names",
                fix: free.map { "write host new \($0.type) --package DIR" } ?? "choose another name")
        }
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
        files.add(template.manifests, in: "Manifests")
        try files.write()
        return report(
            name, files.files.map { "\(folder)/\($0.path)" },
            ["swift test --package-path \(shellQuoted(folder))", "host build \(shellQuoted(folder))", template.trial])
    }

    /// Returns the folder of the target in the checkout whose name is `name`, or `name` followed by `Tests`. Returns
    /// nil if both names are free.
    private func taken(_ name: String, in checkout: String) -> String? {
        Checkout.place(ofTarget: name, in: checkout) ?? Checkout.place(ofTarget: "\(name)Tests", in: checkout)
    }
}
