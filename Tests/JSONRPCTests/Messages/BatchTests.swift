import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import JSONRPC

/// Batches of JSON-RPC 2.0: arrays of calls on one line.
@Suite(.fewAtOnce, .hangLimit)
struct BatchTests {
    private func call(_ id: some CustomStringConvertible, _ method: String, _ parameters: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
    }

    private func notification(_ method: String) -> String { #"{"jsonrpc":"2.0","method":"\#(method)"}"# }

    private func batch(_ members: String...) -> String { "[\(members.joined(separator: ", "))]\n" }

    private let ada = #"{"name":"Ada"}"#

    /// Returns the id of each answer, with its result or the code of its error.
    private func summary(_ line: String?) throws -> [String] {
        let answers = try JSONDecoder().decode([Answer].self, from: Data(try #require(line).utf8))
        return answers.map { "\($0.id?.text ?? "null") \($0.error.map { "\($0.code)" } ?? $0.result?.text ?? "{}")" }
    }

    private struct Answer: Decodable {
        struct Failure: Decodable { var code: Int }
        struct Scalar: Decodable {
            var text: String
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let number = try? value.decode(Int.self) {
                    text = "\(number)"
                } else {
                    text = (try? value.decode(String.self)) ?? "{}"
                }
            }
        }
        var id: Scalar?
        var result: Scalar?
        var error: Failure?
    }

    @Test("Calls in a batch are answered by id, invalid members with null, and notifications not at all")
    func mixed() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        await raw.write(
            batch(
                call(1, "greet", ada), notification("greet"), call(#""x""#, "greet", ada), "1", "[]", #"{"foo":"boo"}"#,
                call(5, "nothing"), call(6, "greet"), #"{"jsonrpc":"2.0","id":7,"method":1}"#,
                call("null", "greet", ada)))
        #expect(
            try summary(await raw.line()) == [
                "1 Hello Ada", "x Hello Ada", "null -32600", "null -32600", "null -32600", "5 -32601", "6 -32602",
                "7 -32600", "null Hello Ada",
            ])
        #expect(subject.heard.all == ["greet", "greet", "greet", "nothing", "greet", "greet"])
    }

    @Test("A batch of notifications is not answered, and an empty or malformed batch gets a single error")
    func unanswered() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        await raw.write(batch(notification("greet"), notification("fail")) + "[]\n" + "[1,\n" + " [ 1 ] \n")
        #expect(await raw.line()?.hasPrefix(#"{"error":{"code":-32600,"#) == true)
        #expect(await raw.line()?.hasPrefix(#"{"error":{"code":-32700,"#) == true)
        #expect(try summary(await raw.line()) == ["null -32600"])
    }

    @Test("A batch is answered when all its calls are, and does not delay other calls")
    func waiting() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        await raw.write(batch(call(1, "wait"), call(2, "greet", ada), notification("wait"), call(3, "wait")))
        await raw.write(call(4, "greet", ada) + "\n")
        #expect(await raw.line()?.hasPrefix(#"{"id":4,"#) == true)
        #expect(await eventually { subject.gate.withLock { $0.count } == 3 })
        subject.open()
        #expect(try summary(await raw.line()).sorted() == ["1 {}", "2 Hello Ada", "3 {}"])
    }

    @Test("Each call of a batch counts towards the limit and has its own timeout", arguments: ["calls", "time"])
    func limits(limit: String) async throws {
        let (raw, subject) = try PeerSubject.connected { limits in
            if limit == "calls" { limits.calls = 2 } else { limits.time = .milliseconds(50) }
        }
        defer { subject.peer.close() }
        let method = limit == "calls" ? "wait" : "hang"
        await raw.write(batch(call(1, method), call(2, "greet", ada), call(3, method), call(4, method)))
        if limit == "calls" {
            #expect(await eventually { subject.gate.withLock { $0.count } == 2 })
            subject.open()
        }
        let third = limit == "calls" ? ["1 {}", "2 Hello Ada", "3 {}", "4 -32000"] : nil
        #expect(
            try summary(await raw.line()).sorted()
                == third ?? ["1 -32000", "2 Hello Ada", "3 -32000", "4 -32000"])
    }

    @Test("Answers that exceed the size limit become errors, and finally a single error")
    func tooLong() async throws {
        let (raw, subject) = try PeerSubject.connected { $0.pending = 15_000 }
        defer { subject.peer.close() }
        await raw.write(batch(call(1, "long"), call(2, "long"), call(3, "greet", ada)))
        let line = try #require(await raw.line())
        #expect(line.utf8.count < 15_000 && line.contains("the responses to a batch are longer than 15000 bytes"))
        #expect(try summary(line).map { $0.prefix(7) } == ["1 xxxxx", "2 -3200", "3 Hello"])
        await raw.write("[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]\n")
        let error = try #require(await raw.line())
        #expect(error.hasPrefix(#"{"error":{"code":-32000,"#) && error.contains(#""subject":"pending""#), "\(error)")
        await raw.write(call(4, "greet", ada) + "\n")
        #expect(await raw.line()?.contains("Hello Ada") == true)
    }

    @Test("A batch of 10,000 calls is answered completely")
    func long() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        let calls = (0..<10_000).map { call($0, "greet", ada) }
        await raw.write("[\(calls.joined(separator: ","))]\n")
        #expect(try summary(await raw.line()) == (0..<10_000).map { "\($0) Hello Ada" })
    }

    @Test("A batch is answered before its connection closes", arguments: ["drain", "end"])
    func closingConnection(way: String) async throws {
        let (raw, subject) = try PeerSubject.connected()
        await raw.write(batch(call(1, "wait"), call(2, "wait")))
        #expect(await eventually { subject.gate.withLock { $0.count } == 2 })
        if way == "drain" { subject.peer.drain() } else { raw.endOutput() }
        subject.open()
        #expect(try summary(await raw.line()).sorted() == ["1 {}", "2 {}"])
        #expect(await raw.line() == nil)
    }

    @Test("Answers can arrive as a batch")
    func answers() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        func answer(_ result: Int) async throws -> String {
            let number = try #require(await raw.line()?.firstMatch(of: /"id":(\d+)/)?.output.1)
            return #"{"jsonrpc":"2.0","id":\#(number),"result":\#(result)}"#
        }
        let first = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
        let toFirst = try await answer(42)
        let second = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
        await raw.write(batch(try await answer(43), toFirst))
        #expect(try await [first.value, second.value] == [42, 43])
    }
}
