import HostSystem
public import ViperKit

/// The host's JSON coder, for tests of modules that require `json`.
public struct TestJSONCoder: JSONCoder {
    private let coder = FoundationJSONCoder()

    /// Creates a coder.
    public init() {}

    public func decode<Value: Decodable>(
        _ type: Value.Type, from json: [UInt8], named name: String
    ) throws(ViperError) -> Value {
        try coder.decode(type, from: json, named: name)
    }

    public func encode(_ value: any Encodable) throws(ViperError) -> [UInt8] { try coder.encode(value) }
}
