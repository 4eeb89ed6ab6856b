import Testing
import ViperKit

@testable import JSONRPC

struct MessageTests {
    private struct Parameters: CallParameters, Equatable {
        enum CodingKeys: CodingKey, CaseIterable { case a }
        var a: Int?
    }

    private static let messages = [
        #"{"jsonrpc":"2.0","method":"m","id":1}"#, #"{"jsonrpc":"2.0","method":"m"}"#,
        #" { "jsonrpc" : "2.0" , "method" : "m" , "id" : "x" , "params" : { } } "#,
        #"{"\u006asonrpc":"2.0","method":"\u006d","id":"\u0031","params":{}}"#,
        #"{"jsonrpc":"2.\u0030","method":"m","id":1.5,"params":{"a":1}}"#,
        #"{"jsonrpc":"2.0","method":"m","id":-0,"params":{"a":null}}"#,
        #"{"jsonrpc":"2.0","method":"m","id":18446744073709551615}"#, #"{"jsonrpc":"2.0","method":"m","id":1e2}"#,
        #"{"jsonrpc":"2.0","method":"m","id":null}"#, #"{"jsonrpc":"2.0","id":7,"result":{"a":2}}"#,
        #"{"jsonrpc":"2.0","id":7,"result":null}"#, #"{"jsonrpc":"2.0","id":7,"error":null,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}"#, #"{"jsonrpc":"2.0","id":7,"error":null}"#,
        #"{"jsonrpc":"1.0","method":"m","id":1}"#, #"{"jsonrpc":2,"method":"m","id":1}"#,
        #"{"method":"m","id":1}"#, #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","method":5,"id":1}"#,
        #"{"jsonrpc":"2.0","method":null,"id":1}"#, #"{"jsonrpc":"2.0","method":"m","id":{}}"#,
        #"{"jsonrpc":"2.0","method":"m","id":[1]}"#, #"{"jsonrpc":"2.0","method":"m","id":true}"#,
        #"{"jsonrpc":"2.0","method":"m","params":[1]}"#, #"{"jsonrpc":"2.0","method":"m","params":"p"}"#,
        #"{"jsonrpc":"2.0","method":"m","params":{"b":1}}"#, #"{"jsonrpc":"2.0","method":"é","id":"😀"}"#, "{}", "1",
        "null", "\"x\"",
    ]

    /// Everything that the host reads from a message. Errors are without their subject, which is a position.
    private struct Reading: Equatable {
        var kind: Message.Kind?
        var refusal: [String]?
        var parameters: String
        var result: String
        var isWithoutParameters: Bool

        init(_ content: MessageContent) {
            var content = content
            do {
                let message = try Message(content)
                (kind, content) = (message.kind, message.content)
            } catch { refusal = ["\(error.id)"] + Self.text(error.error) }
            parameters = Self.described { () throws(ViperError) in try content.parameters(Parameters.self) }
            result = Self.described { () throws(ViperError) in try content.result(Parameters.self) }
            isWithoutParameters = (try? content.refuseParameters()) != nil
        }

        private static func described(_ body: () throws(ViperError) -> Parameters) -> String {
            do { return "\(try body())" } catch { return "\(text(error))" }
        }

        private static func text(_ error: ViperError) -> [String] {
            [error.code.name, error.cause, "\(error.notes)", error.fix ?? ""]
        }
    }

    @Test("A message is read the same way from the members that the scan found and by the decoder", arguments: messages)
    func same(text: String) throws {
        let scanned = try MessageContent(line: Array(text.utf8))
        // The members of a batch are not scanned separately, so the decoder reads them.
        let batch = try MessageContent(line: Array("[\(text)]".utf8))
        let decoded = try #require(batch.members.map { Array($0) }?.first)
        #expect(Reading(scanned) == Reading(decoded))
    }
}
