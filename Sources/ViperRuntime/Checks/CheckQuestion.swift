import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// A question to a check process. The answer only states what happened. The process that asks the question decides
/// whether the check passes.
///
/// Hosts, windows and providers are identified by numbers that the check process assigns.
enum CheckQuestion: Codable, Sendable {
    /// Creates a host that contains the module, but does not create the module. The answer is the host's number.
    ///
    /// - Parameters:
    ///   - withheld: A service to withhold from the module. Nil to withhold no service.
    ///   - store: The name of a separate state folder. If set, the module is selected as the data provider.
    case host(withheld: String?, store: String?)
    /// Creates the module. The answer is ``CheckAnswer/Made``.
    case make(host: Int)
    /// Opens a route in a new window. The answer is ``CheckAnswer/Opened``.
    case open(host: Int, route: String, parameters: Parameters)
    /// Sends an event to the topmost view, even if its screen does not offer the event. The answer is the screen.
    case handle(window: Int, event: SceneStep)
    /// Closes a window. If `late` is set, then sends this event to the window's first view, and calls that view's
    /// `load`.
    case close(window: Int, late: SceneStep?)
    /// Opens and closes a route many times. The answer is the number of bytes by which the allocated memory has grown.
    case openOften(host: Int, route: String, parameters: Parameters, count: Int)
    /// Opens and closes a route twice. The answer lists the types of the objects that only the second run leaves
    /// behind.
    case leaks(host: Int, route: String, parameters: Parameters)
    /// Requests a view for a route directly from the module, without the router. The answer is true if the module
    /// returns a view.
    case answers(host: Int, route: String)
    /// Asks for the parameters that the module's argument types read. The answer is a list of `RouteSignature`.
    case signatures(host: Int)
    case denials
    case end(host: Int)
    /// Resolves the data provider in a host. The answer is the provider's number.
    case provide(host: Int)
    /// Reads a collection, as records of type ``NumericRecord`` or as records of any form. The answer is a list of the
    /// records as JSON strings.
    case all(provider: Int, collection: String, asNumeric: Bool)
    /// Reads a single record. The answer is a list that contains the record, or an empty list.
    case find(provider: Int, id: String, collection: String, asNumeric: Bool)
    /// Reads the records that match a query. The answer has the same form as for
    /// ``all(provider:collection:asNumeric:)``.
    case select(provider: Int, collection: String, query: Query, asNumeric: Bool)
    case apply(provider: Int, changes: [Change])

    enum Parameters: Codable, Sendable {
        case texts([String: [String]])
        case values([String: Value])

        init(_ values: [String: ParameterValue]) { self = .values(values.mapValues(Value.init)) }

        var given: UnvalidatedParameters {
            switch self {
            case .texts(let texts): .texts(texts)
            case .values(let values): .values(values.mapValues(\.parameter))
            }
        }
    }

    /// A typed parameter value. The case preserves the type, because plain JSON would turn 1.0 into an integer.
    enum Value: Codable, Sendable {
        case string(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)
        case array([Value])

        init(_ value: ParameterValue) {
            switch value {
            case .string(let text): self = .string(text)
            case .integer(let whole): self = .integer(whole)
            case .number(let number): self = .number(number)
            case .boolean(let flag): self = .boolean(flag)
            case .array(let values): self = .array(values.map(Value.init))
            @unknown default: self = .string(value.text)
            }
        }

        var parameter: ParameterValue {
            switch self {
            case .string(let text): .string(text)
            case .integer(let whole): .integer(whole)
            case .number(let number): .number(number)
            case .boolean(let flag): .boolean(flag)
            case .array(let values): .array(values.map(\.parameter))
            }
        }
    }

    struct Change: Codable, Sendable {
        enum Kind: String, Codable, Sendable { case insert, replace, delete }

        var kind: Kind
        var collection: String
        var id: String
        /// The record as JSON. Nil for a deletion, or if the record cannot be encoded as JSON.
        var json: String?
    }
}

/// An event that a check sends. A returned result may be invalid JSON.
enum SceneStep: Codable, Sendable {
    case press(String)
    case select(String)
    case fill(field: String, text: String)
    case returned(json: String)

    var event: Event {
        switch self {
        case .press(let action): .press(action: action)
        case .select(let row): .select(row: row)
        case .fill(let field, let text): .fill(field: field, text: text)
        case .returned(let json):
            .returned(from: "no/such-route", result: SceneResult(json: Array(json.utf8), coder: FoundationJSONCoder()))
        }
    }
}

enum CheckAnswer {
    struct Made: Codable, Sendable {
        /// The address of the module's type in its process, which differs for each copy of the library.
        var type: Int?
    }

    struct Opened: Codable, Sendable {
        var window: Int
        var screen: Screen
    }
}

/// The parameters of `ask`, the only method of a check process.
struct AskCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case question }

    var question: CheckQuestion
}
