import HostSystem
import Synchronization
import ViperKit

@testable import Todo

/// An in-memory store that can fail every call.
final class FakeTodoStore: TodoStoring {
    private let files = Mutex<[String: [UInt8]]>([:])
    private let failing = Mutex<ViperError?>(nil)
    private let json = FoundationJSONCoder()

    var failure: ViperError? {
        get { failing.withLock { $0 } }
        set { failing.withLock { $0 = newValue } }
    }

    /// The stored files as text.
    var texts: [String: String] { files.withLock { $0.mapValues { String(decoding: $0, as: UTF8.self) } } }

    func put(_ text: String, as name: String) { files.withLock { $0[name] = Array(text.utf8) } }

    func read<Value: Decodable & Sendable>(_ type: Value.Type, from name: String) async throws(ViperError) -> Value? {
        if let failure { throw failure }
        guard let file = files.withLock({ $0[name] }) else { return nil }
        return try json.decode(type, from: file, named: name)
    }

    func write<Value: Encodable & Sendable>(_ value: Value, to name: String) async throws(ViperError) {
        if let failure { throw failure }
        let file = try json.encode(value)
        files.withLock { $0[name] = file }
    }

    func change<Value: Codable & Sendable>(
        _ name: String, _ change: @Sendable (Value?) -> Value
    ) async throws(ViperError) -> Value {
        let value = change(try? await read(Value.self, from: name))
        try await write(value, to: name)
        return value
    }
}

let storeFailure = ViperError(.storeFailed, operation: "cannot write file", subject: "x", cause: "of the test")

extension TodoSettings {
    static let test = TodoSettings(baseURL: "http://test", pageSize: 20)
}

extension TodoEnvironment {
    /// Creates an environment without stored settings.
    static func test(pageSize: Int = 20, store: any TodoStoring = FakeTodoStore()) -> TodoEnvironment {
        TodoEnvironment(configured: TodoSettings(baseURL: "http://test", pageSize: pageSize), store: store)
    }
}
