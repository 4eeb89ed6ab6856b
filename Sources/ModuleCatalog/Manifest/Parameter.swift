package import ViperKit

/// A value that indicates whether a parameter may be omitted.
package enum Presence: Sendable, Equatable {
    /// The parameter must be passed.
    case required
    /// The parameter may be omitted. The module then receives no value.
    case optional
    /// The parameter may be omitted. The module then receives this value.
    case defaulted(ParameterValue)
}

extension ParameterValue {
    /// The value in command-line syntax. The items of an array are separated by commas.
    package var text: String {
        switch self {
        case .string(let text): text
        case .array(let values): values.map(\.text).joined(separator: ",")
        default: description
        }
    }
}
