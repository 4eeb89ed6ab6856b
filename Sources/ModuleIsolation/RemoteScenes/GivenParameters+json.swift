package import HostSystem
import JSONRPC
package import ModuleCatalog
import ModuleRuntime
package import ViperKit

extension GivenParameters {
    /// Parameters as they came in a message.
    ///
    /// - Parameter route: The route that they are for, if there is one. A text among them may be one as a person types it.
    /// - Throws: ``ViperError/Code/argumentsInvalid`` for one that is no scalar.
    package init(_ json: [String: JSONValue], for route: Manifest.Route?) throws(ViperError) {
        var values = try [String: ParameterValue](json)
        let texts = values.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        // As texts, errors say them in the words of whoever typed them.
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

    /// The parameters as they are put into a message.
    var json: [String: JSONValue] {
        switch self {
        case .texts(let texts): texts.mapValues(JSONValue.string)
        case .values(let values): values.mapValues(JSONValue.init)
        }
    }
}

extension [String: ParameterValue] {
    /// Typed parameters as they came in a message.
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
