import FoundationEssentials
import HostSystem
import ViperKit

/// A JSON file that may be a manifest, before it is decoded as one.
package struct ManifestDraft {
    package let file: String
    private let content: Content

    private enum Content {
        /// An object with the key `library`, and the value of that key if it is a text.
        case manifest(library: String?)
        /// JSON that is not a manifest.
        case other
        /// A file that is not JSON. Nil if it cannot be read.
        case broken(Data?)
    }

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

    /// True if the file is a JSON object with the key `library`.
    package var isManifest: Bool {
        if case .manifest = content { true } else { false }
    }

    /// True if the file cannot be read as JSON. Decoding it as a manifest gives the reason.
    package var isBroken: Bool {
        if case .broken = content { true } else { false }
    }

    /// Returns true if the manifest belongs to a library, or if the file is broken and contains the library's name.
    package func mayName(_ library: String) -> Bool {
        switch content {
        case .manifest(let name): name == library
        case .broken(let text): text?.contains("\"\(library)\"") == true
        case .other: false
        }
    }
}
