import HostSystem
import ModuleCatalog
package import ViperKit

/// A value that a module contributes to a point, as its manifest contains it.
package struct ContributionText: Codable, Sendable {
    var module: String
    /// The place in the manifest, for errors.
    var name: String
    var text: String

    /// Returns the contribution with its decoded value, or with the error if it is no value of this type.
    package func decoded<Value: Decodable & Sendable>(as type: Value.Type) -> Contribution<Value> {
        Contribution(
            module: module,
            value: Result { () throws(ViperError) in
                try FoundationJSONCoder().decode(type, from: Array(text.utf8), named: name)
            })
    }
}

extension RegistrySnapshot {
    /// Returns what the usable modules contribute to a point.
    func contributions(to point: String) -> [ContributionText] {
        modules.flatMap { record -> [ContributionText] in
            guard record.state.isUsable, let texts = record.manifest?.contributes[point] else { return [] }
            return texts.enumerated().map { index, text in
                let name = "\(record.file) $.contributes.\(point)[\(index)]"
                return ContributionText(module: record.name, name: name, text: text)
            }
        }
    }
}
