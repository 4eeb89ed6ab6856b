package import HostSystem
import JSONRPC
package import ModuleCatalog
import ModuleRuntime
package import ViperKit

extension GivenParameters {
    /// Reads the parameters of a message.
    ///
    /// - Parameter route: The route that takes the parameters, if it exists. A string among typed values is converted
    ///   to the declared type if possible.
    /// - Throws: ``ViperError/Code/argumentsInvalid`` if a value is null, an array or an object.
    package init(_ json: [String: JSONValue], for route: Manifest.Route?) throws(ViperError) {
        var values = try [String: ParameterValue](json)
        let texts = values.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        // Kept as text, so that an error can quote the value as the user typed it.
        if texts.count == values.count {
            self = .texts(texts)
            return
        }
        for (name, text) in texts {
            let type = route?.parameters.first { $0.name == name }?.type
            if let value = type?.value(from: text) { values[name] = value }
        }
        self = .values(values)
    }

    var json: [String: JSONValue] {
        switch self {
        case .texts(let texts): texts.mapValues(JSONValue.string)
        case .values(let values): values.mapValues(JSONValue.init)
        }
    }
}

extension [String: ParameterValue] {
    init(_ json: [String: JSONValue]) throws(ViperError) {
        self = [:]
        for (name, value) in json {
            switch value {
            case .string(let text): self[name] = .string(text)
            case .integer(let whole): self[name] = .integer(whole)
            case .large(let whole): self[name] = .number(Double(whole))
            case .number(let number): self[name] = .number(number)
            case .boolean(let flag): self[name] = .boolean(flag)
            case .null, .array, .object:
                throw ViperError(
                    .argumentsInvalid, "cannot read parameter", name, cause: "it is no text, number, true or false")
            }
        }
    }
}
