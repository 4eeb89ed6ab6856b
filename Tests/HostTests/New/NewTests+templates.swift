import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

// The tests of the templates are beside them, in Sources/host/New/Templates.
extension NewTests {
    /// The forms of a module's name.
    private struct Name {
        var type: String
        var function: String
        var kebab: String
        var title: String

        /// Replaces the forms of another name in one pass.
        func replacing(_ old: Name, in text: String) throws -> String {
            let forms = [old.type: type, old.function: function, old.kebab: kebab, old.title: title]
            return text.replacing(try Regex(forms.keys.joined(separator: "|"))) { forms[String(text[$0.range])] ?? "" }
        }
    }

    @Test(
        "host new writes the files of the template, changed in nothing but the name",
        arguments: [("List", "list"), ("Form", "form"), ("Service", "service"), ("Running", "running")]
            + [("FrontEnd", "front-end"), ("Guard", "guard")])
    func copies(kind: String, option: String) async throws {
        let words = option.replacing("-", with: " ")
        let flat = kind.lowercased()
        let old = Name(
            type: "\(kind)Template", function: "\(kind.prefix(1).lowercased())\(kind.dropFirst())Template",
            kebab: "\(option)-template", title: "\(words.prefix(1).uppercased())\(words.dropFirst()) template")
        let template = try content(of: "\(Products.repository)/Sources/host/New/Templates/\(kind)")
        #expect(template["Manifests/\(old.kebab).json"]?.contains("  \"sdk\": \"\(SDK.version)\",\n") == true)
        let checkout = try checkout()
        for new in [
            Name(type: "BigBasket", function: "bigBasket", kebab: "big-basket", title: "Big basket"),
            // A new name that contains the template's name.
            Name(
                type: "My\(kind)Template", function: "my\(kind)Template", kebab: "my-\(option)-template",
                title: "My \(words) template"),
            Name(
                type: "My\(flat)Template", function: "my\(flat)Template", kebab: "my\(flat)-template",
                title: "My\(flat) template"),
        ] {
            var expected: [String: String] = [:]
            for (path, text) in template {
                expected[try new.replacing(old, in: path)] = try new.replacing(old, in: text)
            }

            let package = "\(scratch.path)/\(new.type)"
            #expect(try await host("new", new.type, "--\(option)", "--package", package).ending == .code(0))
            let module = GeneratedModule(new.type, in: package)
            let written = try files(of: module, in: package, resources: "\(package)/Resources")
            #expect(differences(written, expected) == [])

            #expect(try await host("new", new.type, "--\(option)", "--root", checkout).ending == .code(0))
            let manifest = "Manifests/\(new.kebab).json"
            expected[manifest]?.replace(
                "{\n  \"name\"", with: "{\n  \"$schema\": \"./module.schema.json\",\n  \"name\"")
            let bundled = GeneratedModule(new.type, inCheckout: checkout)
            let added = try files(of: bundled, in: checkout, resources: "\(bundled.sources)/Resources")
                .filter { !$0.key.hasPrefix("Manifests/") || $0.key == manifest }
            #expect(differences(added, expected) == [])
        }
    }

    /// Returns the texts of a module's files, by their paths in the template.
    private func files(of module: GeneratedModule, in folder: String, resources: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for (name, path) in [
            ("Sources", module.sources), ("Tests", module.tests), ("Resources", resources),
            ("Manifests", "\(folder)/Manifests"),
        ] {
            for (file, text) in try content(of: path) where !file.hasPrefix("Resources/") {
                files["\(name)/\(file)"] = text
            }
        }
        return files
    }

    /// Returns the paths whose texts are different or missing.
    private func differences(_ texts: [String: String], _ others: [String: String]) -> [String] {
        Set(texts.keys).union(others.keys).filter { texts[$0] != others[$0] }.sorted()
    }
}
