import HostSystem
public import ModuleCatalog
import ViperKit

extension Manifest.Route {
    func parameter(_ name: String) throws(ViperError) -> Manifest.Parameter {
        if let parameter = parameters.first(where: { $0.name == name }) { return parameter }
        let near = nearestNames(to: name, in: parameters.map(\.name))
        throw ViperError(
            .parameterUnknown, "cannot open route", self.name, cause: "it has no parameter \"\(name)\"",
            notes: [.init("parameters", usage.isEmpty ? "none" : usage)]
                + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]))
    }

    /// Returns the parameters with their declared types and the manifest's defaults.
    func complete(_ given: [String: ParameterValue]) throws(ViperError) -> [String: ParameterValue] {
        var complete: [String: ParameterValue] = [:]
        for (name, value) in given.sorted(by: { $0.key < $1.key }) {
            let parameter = try parameter(name)
            guard let checked = parameter.type.value(from: value) else { throw mismatch(parameter, value.literal) }
            complete[name] = checked
        }
        for parameter in parameters where complete[parameter.name] == nil {
            switch parameter.presence {
            case .defaulted(let value): complete[parameter.name] = value
            case .optional: break
            case .required:
                throw ViperError(
                    .parameterMissing, "cannot open route", name, cause: "\"\(parameter.name)\" is missing",
                    notes: [.init("parameters", usage)],
                    recoverySuggestion: "add \(parameter.name)=\(parameter.type.rawValue.uppercased())")
            }
        }
        return complete
    }

    /// - Parameter literal: The given value as a literal, such as a string in quotation marks.
    func mismatch(_ parameter: Manifest.Parameter, _ literal: String) -> ViperError {
        ViperError(
            .parameterType, "cannot open route", name,
            cause: "\"\(parameter.name)\" is \(parameter.type.phrase), not \(literal)",
            notes: [.init("parameters", usage)])
    }

    /// The parameters as help shows them, such as `olderThan=INTEGER`. Optional parameters are in brackets.
    public var usage: String {
        parameters.map { parameter in
            let text = "\(parameter.name)=\(parameter.type.rawValue.uppercased())"
            return parameter.presence == .required ? text : "[\(text)]"
        }.joined(separator: " ")
    }
}
