public import ViperKit
import ViperRuntime

/// The host's own JSON coder, for the test of a module that requires `json`.
public struct TestJSONCoder: JSONCoder {
    private let coder = FoundationJSONCoder()

    /// A coder.
    public init() {}

    public func decode<Value: Decodable>(
        _ type: Value.Type, from json: [UInt8], named name: String
    ) throws(ViperError) -> Value {
        try coder.decode(type, from: json, named: name)
    }

    public func encode(_ value: any Encodable) throws(ViperError) -> [UInt8] { try coder.encode(value) }
}
