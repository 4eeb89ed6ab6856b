import FoundationEssentials
import HostSystem
import ViperKit

/// A file that may contain a manifest and that has not been decoded yet.
package struct ManifestDraft {
    package let file: String
    private let content: Content

    private enum Content {
        /// The file is a JSON object with the key `library`. The associated value is the value of that key, or nil if
        /// it is not a string.
        case manifest(library: String?)
        /// The file is a JSON object without the key `library`.
        case object
        /// The file is another valid JSON value.
        case other
        /// The file is not valid JSON. The associated value is the file's content, or nil if the file cannot be read.
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
            case nil: content = .object
            }
        case .some: content = .other
        case nil: content = .broken(text)
        }
    }

    /// True if the file is a JSON object with the key `library`.
    package var isManifest: Bool {
        if case .manifest = content { true } else { false }
    }

    /// True if the file is a JSON object without the key `library`. It may be an incomplete manifest.
    package var lacksLibrary: Bool {
        if case .object = content { true } else { false }
    }

    /// True if the file cannot be read as JSON. Decoding the file as a manifest throws an error with the reason.
    package var isBroken: Bool {
        if case .broken = content { true } else { false }
    }

    /// Returns true if the file may be the manifest of a library. This is the case if the manifest names the library,
    /// or if the file is not valid JSON but contains the library's name.
    package func mayName(_ library: String) -> Bool {
        switch content {
        case .manifest(let name): name == library
        case .broken(let text): text?.contains("\"\(library)\"") == true
        case .object, .other: false
        }
    }
}
