import HostSystem
import ViperKit

/// A JSON-RPC 2.0 message (https://www.jsonrpc.org/specification). The message's parameters or result are not decoded
/// yet.
struct Message {
    enum Kind: Equatable {
        case call(CallID, method: String)
        case notification(method: String)
        case answer(CallID)
    }

    /// The reason why a message is invalid, with the ID for the error response.
    struct Refusal: Error {
        var id: CallID
        var error: ViperError
    }

    let kind: Kind
    let content: MessageContent
    /// The request that the caller works for, in a call or a notification. Nil if it names none.
    let request: String?

    init(_ content: MessageContent) throws(Refusal) {
        let head: MessageHead
        let text = content.text(.messageInvalid)
        do throws(ViperError) {
            if let usual = MessageHead(text) { head = usual } else { head = try text.decode(MessageHead.self) }
        } catch {
            // If another member is invalid, the caller still needs the ID to identify the failed call.
            let readable = try? text.decode(MessageID.self)
            throw Refusal(id: readable?.id ?? .null, error: error)
        }
        guard head.version == "2.0" else {
            throw Refusal(id: head.id ?? .null, error: content.invalid("\"jsonrpc\" must be \"2.0\""))
        }
        var content = content
        content.isWithoutParameters = head.isWithoutParameters
        self.content = content
        request = head.request.flatMap(RequestID.read)
        switch (head.method, head.id) {
        case (let method?, let id?): kind = .call(id, method: method)
        case (let method?, nil): kind = .notification(method: method)
        case (nil, let id?) where head.isAnswer: kind = .answer(id)
        default:
            let cause = "it has neither a \"method\", nor an \"id\" with a \"result\" or an \"error\""
            throw Refusal(id: head.id ?? .null, error: content.invalid(cause))
        }
    }
}

private struct MessageHead: Decodable {
    var version: String?
    var method: String?
    /// The ID of the call. Nil if the member is missing, and ``CallID/null`` if its value is `null`.
    var id: CallID?
    var isAnswer: Bool
    var isWithoutParameters: Bool
    var request: String?

    enum CodingKeys: String, CodingKey {
        case version = "jsonrpc"
        case method, id, result, error, params, request
    }

    /// Creates the head from the members that the scanner has found. Returns nil if a member has an unusual form, which
    /// only the decoder handles.
    init?(_ text: JSONText) {
        guard case .string(let version) = text.member("jsonrpc") else { return nil }
        self.version = version
        switch text.member("method") {
        case .string(let name): method = name
        case .missing: method = nil
        default: return nil
        }
        switch text.member("id") {
        case .integer(let number): id = .number(number)
        case .string(let name): id = .text(name)
        case .missing: id = nil
        default: return nil
        }
        switch text.member("request") {
        case .string(let name): request = name
        case .missing: request = nil
        default: return nil
        }
        isAnswer = text.member("result") != .missing || text.member("error") != .missing
        isWithoutParameters = [.missing, .emptyObject].contains(text.member("params"))
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decodeIfPresent(String.self, forKey: .version)
        method = try values.decodeIfPresent(String.self, forKey: .method)
        id = values.contains(.id) ? try values.decode(CallID.self, forKey: .id) : nil
        request = try? values.decodeIfPresent(String.self, forKey: .request)
        isAnswer = values.contains(.result) || values.contains(.error)
        let parameters = try? values.nestedContainer(keyedBy: AnyKey.self, forKey: .params)
        isWithoutParameters = parameters?.allKeys.isEmpty ?? !values.contains(.params)
    }
}

private struct MessageID: Decodable {
    var id: CallID
}
