public import ViperKit

/// A file reader that delays each call until a gate is open.
public struct SlowFileReader: FileReader {
    private let reader: any FileReader
    private let gate: Gate

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - reader: The reader that handles the calls after the gate is open.
    ///   - gate: The gate that each call waits for.
    public init(_ reader: any FileReader, behind gate: Gate) { (self.reader, self.gate) = (reader, gate) }

    public func read(_ name: String) async throws(ViperError) -> [UInt8] {
        await gate.pass()
        return try await reader.read(name)
    }

    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from name: String
    ) async throws(ViperError) -> Value {
        await gate.pass()
        return try await reader.decode(type, from: name)
    }
}

/// A data provider that delays each call until a gate is open.
public struct SlowDataProvider: DataProvider {
    private let provider: any DataProvider
    private let gate: Gate

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - provider: The provider that handles the calls after the gate is open.
    ///   - gate: The gate that each call waits for.
    public init(_ provider: any DataProvider, behind gate: Gate) { (self.provider, self.gate) = (provider, gate) }

    public func all<R: Record>(_ type: R.Type, in collection: String) async throws(ViperError) -> [R] {
        await gate.pass()
        return try await provider.all(type, in: collection)
    }

    public func find<R: Record>(_ type: R.Type, id: String, in collection: String) async throws(ViperError) -> R? {
        await gate.pass()
        return try await provider.find(type, id: id, in: collection)
    }

    public func records<R: Record>(
        _ type: R.Type, in collection: String, matching query: RecordQuery
    ) async throws(ViperError) -> [R] {
        await gate.pass()
        return try await provider.records(type, in: collection, matching: query)
    }

    public func apply(_ changes: [DataChange]) async throws(ViperError) {
        await gate.pass()
        try await provider.apply(changes)
    }

    /// Returns the provider's stream of changes, without waiting for the gate.
    public func changes(in collection: String) -> AsyncStream<CollectionChange> { provider.changes(in: collection) }
}

/// An HTTP client that delays each call until a gate is open.
public struct SlowHTTPClient: HTTPClient {
    private let client: any HTTPClient
    private let gate: Gate

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - client: The client that handles the calls after the gate is open.
    ///   - gate: The gate that each call waits for.
    public init(_ client: any HTTPClient, behind gate: Gate) { (self.client, self.gate) = (client, gate) }

    public func send(_ request: HTTPRequest) async throws(ViperError) -> HTTPResponse {
        await gate.pass()
        return try await client.send(request)
    }
}
