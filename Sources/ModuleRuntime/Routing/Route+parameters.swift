import HostSystem
package import ModuleCatalog
import ViperKit

extension Manifest.Route {
    func parameter(_ name: String) throws(ViperError) -> Manifest.Parameter {
        if let parameter = parameters.first(where: { $0.name == name }) { return parameter }
        let near = nearestNames(to: name, in: parameters.map(\.name))
        throw ViperError(
            .parameterUnknown, operation: "cannot open route", subject: self.name,
            cause: "it has no parameter \"\(name)\"",
            notes: [.init("parameters", usage.isEmpty ? "none" : usage)]
                + (near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))]))
    }

    /// Returns the parameters converted to their declared types, with the manifest's defaults added.
    func complete(_ given: [String: ParameterValue]) throws(ViperError) -> [String: ParameterValue] {
        var complete: [String: ParameterValue] = [:]
        for (name, value) in given.sorted(by: { $0.key < $1.key }) {
            let parameter = try parameter(name)
            do throws(ParameterType.Mismatch) {
                complete[name] = try parameter.type.value(from: value)
            } catch { throw refusal(parameter, error.predicate) }
        }
        for parameter in parameters where complete[parameter.name] == nil {
            switch parameter.presence {
            case .defaulted(let value): complete[parameter.name] = value
            case .optional: break
            case .required:
                throw ViperError(
                    .parameterMissing, operation: "cannot open route", subject: name,
                    cause: "\"\(parameter.name)\" is missing",
                    notes: [.init("parameters", usage)],
                    fix: "add \(parameter.name)=\(parameter.type.placeholder)")
            }
        }
        return complete
    }

    /// Returns parameters with those that are given as strings converted to values.
    func values(of given: UnvalidatedParameters) throws(ViperError) -> [String: ParameterValue] {
        var values = given.values
        for (name, texts) in given.texts.sorted(by: { $0.key < $1.key }) {
            let parameter = try parameter(name)
            if values[name] != nil {
                throw refusal(parameter, "is given twice")
            }
            do throws(ParameterType.Mismatch) {
                values[name] = try parameter.type.value(from: texts)
            } catch { throw refusal(parameter, error.predicate) }
        }
        return values
    }

    private func refusal(_ parameter: Manifest.Parameter, _ predicate: String) -> ViperError {
        ViperError(
            .parameterInvalid, operation: "cannot open route", subject: name,
            cause: "parameter \"\(parameter.name)\" \(predicate)",
            notes: [.init("parameters", usage)])
    }

    /// The parameters as help output shows them, such as `olderThan=INTEGER`. Optional parameters are in brackets.
    /// Enumerations and ranges show the allowed values, such as `order=up|down` or `age=INTEGER(0..150)`.
    package var usage: String {
        parameters.map { parameter in
            let text = "\(parameter.name)=\(parameter.type.placeholder)"
            return parameter.presence == .required ? text : "[\(text)]"
        }.joined(separator: " ")
    }
}
