package import HostSystem
import JSONRPC
import ModuleCatalog
package import ModuleRuntime
package import ViperKit

extension UnvalidatedParameters {
    /// Creates parameters from the JSON of a message. Values that consist of strings are converted to the declared types
    /// later.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid`` if a value is null, an object, or an array that contains null, an
    ///   object or an array.
    package init(_ json: [String: JSONValue]) throws(ViperError) {
        let all = try [String: ParameterValue](json)
        let texts = all.compactMapValues(\.texts)
        self.init(texts: texts, values: all.filter { texts[$0.key] == nil })
    }

    /// The parameters as JSON. One that is given twice becomes an array, which the other end refuses.
    var json: [String: JSONValue] {
        let texts = texts.mapValues { $0.count == 1 ? JSONValue.string($0[0]) : .array($0.map(JSONValue.string)) }
        return texts.merging(values.mapValues(JSONValue.init)) { .array([$0, $1]) }
    }
}

extension ParameterValue {
    /// The strings that a user would type on a command line for this value. Nil if the value contains anything other
    /// than strings, or is an array with fewer than two items.
    fileprivate var texts: [String]? {
        switch self {
        case .string(let text): return [text]
        case .array(let values) where values.count > 1:
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return texts.count == values.count ? texts : nil
        default: return nil
        }
    }
}

extension [String: ParameterValue] {
    init(_ json: [String: JSONValue]) throws(ViperError) {
        self = [:]
        for (name, value) in json {
            guard let value = ParameterValue(value) else {
                throw ViperError(
                    .argumentsInvalid, operation: "cannot read parameter", subject: name,
                    cause: "is \(value.noun), expected a string, a number, true, false or an array of these")
            }
            self[name] = value
        }
    }
}

extension ParameterValue {
    /// Creates a value from JSON. Returns nil for null, for an object, and for an array that contains null, an object
    /// or an array.
    fileprivate init?(_ json: JSONValue) {
        switch json {
        case .string(let text): self = .string(text)
        case .integer(let whole): self = .integer(whole)
        case .large(let whole): self = .number(Double(whole))
        case .number(let number): self = .number(number)
        case .boolean(let flag): self = .boolean(flag)
        case .array(let items):
            var values: [ParameterValue] = []
            for item in items {
                if case .array = item { return nil }
                guard let value = Self(item) else { return nil }
                values.append(value)
            }
            self = .array(values)
        case .null, .object: return nil
        }
    }
}

extension JSONValue {
    fileprivate var noun: String {
        switch self {
        case .null: "null"
        case .object: "an object"
        default: "an array of other values"
        }
    }
}
