import FoundationEssentials
import HostSystem
import ViperKit

/// A JSON file that may have been meant as a manifest, before it is read as one.
package struct ManifestDraft {
    /// The path of the file.
    package let file: String
    private let content: Content

    private enum Content {
        /// An object with the name of a library, if that is a text.
        case manifest(library: String?)
        /// JSON, and no manifest.
        case other
        /// A file that is not JSON; nil if it cannot be read.
        case broken(Data?)
    }

    /// Reads a file.
    package init(readingFile path: String) {
        file = path
        guard let text = try? Manifest.text(ofFile: path) else {
            content = .broken(nil)
            return
        }
        let json = try? FoundationJSONCoder().decode(JSONValue.self, from: Array(text), named: path)
        switch json {
        case .object(let values)?:
            switch values["library"] {
            case .string(let library)?: content = .manifest(library: library)
            case .some: content = .manifest(library: nil)
            case nil: content = .other
            }
        case .some: content = .other
        case nil: content = .broken(text)
        }
    }

    /// True if the file is JSON with the key `library`.
    package var isManifest: Bool {
        if case .manifest = content { true } else { false }
    }

    /// True if the file cannot be read as JSON. Reading it as a manifest says why.
    package var isBroken: Bool {
        if case .broken = content { true } else { false }
    }

    /// True if the manifest is of this library, or is broken and mentions its name.
    package func mayName(_ library: String) -> Bool {
        switch content {
        case .manifest(let name): name == library
        case .broken(let text): text?.contains("\"\(library)\"") == true
        case .other: false
        }
    }
}
