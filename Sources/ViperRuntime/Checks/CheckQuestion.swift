import HostSystem
import JSONRPC
import ModuleCatalog
import ModuleRuntime
import ViperKit

/// A question to the process of a check. The answer is a fact, which the process that asks judges.
///
/// Hosts, windows and providers are known by the numbers under which the process has made them.
enum CheckQuestion: Codable, Sendable {
    /// Makes a host that has the module, and does not make the module yet. The answer is the host's number.
    ///
    /// - Parameters:
    ///   - withheld: A service that the module does not get.
    ///   - store: The name of a state folder of its own, under which the module is chosen as the data provider.
    case host(withheld: String?, store: String?)
    /// Makes the module. The answer is ``CheckAnswer/Made``.
    case make(host: Int)
    /// Opens a route in a window of its own. The answer is ``CheckAnswer/Opened``.
    case open(host: Int, route: String, parameters: Parameters)
    /// Hands an event to the topmost view, also one that the screen does not offer. The answer is the screen.
    case handle(window: Int, event: SceneStep)
    /// Closes a window. An event is handed to the view that was opened first after that, and the view is asked to load.
    case close(window: Int, late: SceneStep?)
    /// Opens a route and closes it, many times. The answer is how many bytes more are allocated afterwards.
    case openOften(host: Int, route: String, parameters: Parameters, count: Int)
    /// Opens a route and closes it, twice. The answer has the types of the objects that only the second time has left behind.
    case leaks(host: Int, route: String, parameters: Parameters)
    /// Asks the module itself for a route. The answer is true if it has a view for it.
    case answers(host: Int, route: String)
    /// The services that the module asked for without requiring them, as errors.
    case denials
    /// Retires a host.
    case end(host: Int)
    /// Takes the data provider of a host. The answer is its number.
    case provide(host: Int)
    /// Reads a collection, as ``NumericRecord`` or as any record. The answer has the records as JSON texts.
    case all(provider: Int, collection: String, asNumeric: Bool)
    /// Reads one record. The answer is a list with it, or an empty one.
    case find(provider: Int, id: String, collection: String, asNumeric: Bool)
    /// Makes changes.
    case apply(provider: Int, changes: [Change])

    enum Parameters: Codable, Sendable {
        case texts([String: String])
        case values([String: Value])

        init(_ values: [String: ParameterValue]) { self = .values(values.mapValues(Value.init)) }

        var given: GivenParameters {
            switch self {
            case .texts(let texts): .texts(texts)
            case .values(let values): .values(values.mapValues(\.parameter))
            }
        }
    }

    /// A parameter with its type, which JSON alone does not keep: 1.0 would come back as a whole number.
    enum Value: Codable, Sendable {
        case string(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)

        init(_ value: ParameterValue) {
            switch value {
            case .string(let text): self = .string(text)
            case .integer(let whole): self = .integer(whole)
            case .number(let number): self = .number(number)
            case .boolean(let flag): self = .boolean(flag)
            @unknown default: self = .string(value.text)
            }
        }

        var parameter: ParameterValue {
            switch self {
            case .string(let text): .string(text)
            case .integer(let whole): .integer(whole)
            case .number(let number): .number(number)
            case .boolean(let flag): .boolean(flag)
            }
        }
    }

    /// A change of a collection.
    struct Change: Codable, Sendable {
        enum Kind: String, Codable, Sendable { case insert, replace, delete }

        var kind: Kind
        var collection: String
        var id: String
        /// The record as JSON. Nil for a deletion, and for a record that no JSON can be made of.
        var json: String?
    }
}

/// An event as the check sends it: also with a result that is no JSON.
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

/// The answers that are more than one value.
enum CheckAnswer {
    struct Made: Codable, Sendable {
        /// The address of the module's type in its process: another one for each copy of the library.
        var type: Int?
    }

    struct Opened: Codable, Sendable {
        var window: Int
        var screen: Screen
    }
}

/// `ask`: the only method of the process of a check.
struct AskCall: CallParameters, Encodable, Sendable {
    enum CodingKeys: String, CodingKey, CaseIterable { case question }

    var question: CheckQuestion
}
