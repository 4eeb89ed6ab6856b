package import HostSystem
package import ViperKit

extension JSONValue {
    package init(_ value: ParameterValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let whole): self = .integer(whole)
        case .number(let number): self = .number(number)
        case .boolean(let flag): self = .boolean(flag)
        case .array(let values): self = .array(values.map(JSONValue.init))
        @unknown default: self = .string(value.text)
        }
    }
}
