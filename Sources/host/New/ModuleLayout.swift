import FoundationEssentials
import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// The places of a module's files in its package, or in a checkout of this project.
struct ModuleLayout {
    /// The name of the module's target.
    let target: String
    /// The folder of the package or the checkout.
    let folder: String
    /// The folder with the module's sources, relative to ``folder``.
    let sources: String
    /// The folder with the module's tests, relative to ``folder``.
    let tests: String

    init(ofPackage folder: String, _ target: String) {
        (self.target, self.folder) = (target, folder)
        (sources, tests) = ("Sources/\(target)", "Tests/\(target)Tests")
    }

    init(inCheckout folder: String, _ target: String) {
        (self.target, self.folder) = (target, folder)
        (sources, tests) = ("Plugins/\(target)", "Tests/\(target)Tests")
    }

    /// The paths of the Swift files, relative to ``sources``, sorted.
    var swiftFiles: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(sources)")) ?? [])
            .filter { $0.hasSuffix(".swift") }.sorted()
    }

    /// Returns the path of the module's manifest, relative to ``folder``.
    ///
    /// - Throws: An error if there is none, or if it is invalid.
    func manifest() throws(ViperError) -> String {
        let library = "lib\(target).so"
        for name in try fileNames(in: "\(folder)/Manifests", ending: ".json") {
            let path = "Manifests/\(name)"
            if ManifestDraft(readingFile: "\(folder)/\(path)").mayName(library) { return path }
        }
        throw ViperError(
            .moduleUnknown, operation: "cannot change module", subject: target,
            cause: "no manifest in \(folder)/Manifests has the library \"\(library)\"",
            fix: "name the folder of the module's package with --package, or work in its checkout")
    }
}
