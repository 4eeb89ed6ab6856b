import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import JSONRPC

/// JSON-RPC 2.0, with the test at one end.
@Suite(.hangLimit)
struct PeerTests {
    private func answer(_ line: String, _ change: (inout Limits) -> Void = { _ in }) async throws -> String? {
        let (raw, subject) = try PeerSubject.connected(change)
        defer { subject.peer.close() }
        await raw.write(line + "\n")
        return await raw.line()
    }

    @Test(
        "A call is answered with its own id",
        arguments: [("1", "1"), ("-7", "-7"), (#""a b""#, #""a b""#), ("null", "null")])
    func ids(id: String, shown: String) async throws {
        let answer = try await answer(#"{"jsonrpc":"2.0","id":\#(id),"method":"greet","params":{"name":"Ada"}}"#)
        #expect(answer == #"{"id":\#(shown),"jsonrpc":"2.0","result":"Hello Ada"}"#)
    }

    @Test(
        "An invalid message is answered with its error code, and later messages are still answered",
        arguments: [
            ("garbage", -32700), (#"{"jsonrpc":"2.0","#, -32700), ("\u{1}\u{2}", -32700), (#"{"a":1,"a":2}"#, -32700),
            (#"{"jsonrpc":"2.0","id":1,"method":"greet",}"#, -32700),
            ("[]", -32600), ("1", -32600), ("{}", -32600),
            (#"{"jsonrpc":"1.0","id":1,"method":"greet"}"#, -32600), (#"{"id":1,"method":"greet"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
            (#"{"jsonrpc":"2.0","id":[],"method":"greet"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":{},"method":"greet"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32601),
            (#"{"jsonrpc":"2.0","id":1,"method":"greet"}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"greet","params":["Ada"]}"#, -32602),
            (#"{"jsonrpc":"2.0","id":1,"method":"greet","params":{"name":7}}"#, -32602),
        ])
    func refusals(line: String, code: Int) async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        await raw.write(line + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"greet","params":{"name":"Ada"}}"# + "\n")
        let answer = try #require(await raw.line())
        #expect(answer.contains(#""error":{"code":\#(code),"#), "\(answer)")
        #expect(await raw.line()?.contains("Hello Ada") == true)
    }

    @Test(
        "A refused call is answered with its id if the id can be read",
        arguments: [
            (#"{"jsonrpc":"2.0","id":5,"method":7}"#, "5"), (#"{"jsonrpc":2,"id":"a","method":"greet"}"#, #""a""#),
            (#"{"jsonrpc":"1.0","id":-6,"method":"greet"}"#, "-6"), (#"{"id":7,"method":[]}"#, "7"),
            (#"{"jsonrpc":"2.0","id":8}"#, "8"), (#"{"jsonrpc":"2.0","id":1.5,"method":7}"#, "1.5"),
            (#"{"jsonrpc":"2.0","id":12345678901234567890,"method":7}"#, "12345678901234567890"),
            (#"{"jsonrpc":"2.0","id":{},"method":"greet"}"#, "null"), (#"{"jsonrpc":"2.0","id":9,"#, "null"),
        ])
    func refusedIDs(line: String, id: String) async throws {
        let answer = try #require(try await answer(line))
        #expect(
            answer.hasPrefix(#"{"error":{"code":-32"#) && answer.hasSuffix(#"},"id":\#(id),"jsonrpc":"2.0"}"#),
            "\(answer)")
    }

    @Test("Excessive nesting is refused and does not close the connection")
    func excessiveNesting() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        for bomb in [
            #"{"params":"# + String(repeating: "[", count: 500_000), String(repeating: #"{"a":"#, count: 50_000),
        ] {
            await raw.write(bomb + "\n")
            #expect(await raw.line()?.contains("nested more than 512 levels deep") == true)
        }
    }

    @Test("Invalid bytes, empty lines and lines that are too long do not disturb later calls")
    func invalidInput() async throws {
        let (raw, subject) = try PeerSubject.connected { $0.message = 1000 }
        defer { subject.peer.close() }
        await raw.write([0xFF, 0xFE, 0x0A, 0x0A, 0x20, 0x0D, 0x0A])
        #expect(await raw.line()?.contains("-32700") == true)
        await raw.write(String(repeating: "x", count: 2000) + "\n")
        let answer = try #require(await raw.line())
        #expect(answer.contains(#""code":"limit-reached""#) && answer.contains(#""subject":"message""#), "\(answer)")
        await raw.write(#"{"jsonrpc":"2.0","id":2,"method":"greet","params":{"name":"Ada"}}"#)
        raw.endOutput()
        #expect(await raw.line()?.contains("Hello Ada") == true)
        // The input has ended and everything is answered, so the connection closes.
        #expect(await raw.line() == nil)
    }

    @Test("An error is passed on completely")
    func errors() async throws {
        let (one, two) = try RawEnd.pair()
        let subject = PeerSubject(two, Limits())
        let caller = Peer(
            LineConnection(reading: dup(one.descriptor), writing: dup(one.descriptor), limits: Limits()),
            limits: Limits())
        caller.start { _, _ in
            .now(EmptyPayload())
        } end: { _ in
        }
        defer { caller.close() }
        let error = await #expect(throws: ViperError.self) {
            try await caller.call("fail", EmptyPayload(), as: EmptyPayload.self)
        }
        #expect(
            error
                == ViperError(
                    .storeFailed, operation: "cannot do", subject: "it", cause: "so", notes: [.init("at", "noon")],
                    fix: "wait"))
        #expect(try await caller.call("greet", PeerSubject.Named(name: "Bob"), as: String.self) == "Hello Bob")
        await #expect(throws: ViperError.self) {
            try await caller.call("greet", PeerSubject.Named(name: "Bob"), as: Int.self)
        }
        _ = subject
    }

    @Test("A notification is received and not answered, even if it fails")
    func notifications() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        await raw.write(#"{"jsonrpc":"2.0","method":"fail"}"# + "\n" + #"{"jsonrpc":"2.0","method":"wait"}"# + "\n")
        await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"greet","params":{"name":"Ada"}}"# + "\n")
        #expect(await raw.line()?.contains("Hello Ada") == true)
        #expect(subject.heard.all == ["fail", "wait", "greet"])
        #expect(await eventually { subject.gate.withLock { $0.count } == 1 })
        subject.open()
    }

    @Test("Calls with the same id are each answered, and a slow call does not delay others")
    func sameID() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        for _ in 1...2 { await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"wait"}"# + "\n") }
        await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"greet","params":{"name":"Ada"}}"# + "\n")
        #expect(await raw.line()?.contains("Hello Ada") == true)
        #expect(await eventually { subject.gate.withLock { $0.count } == 2 })
        subject.open()
        for _ in 1...2 { #expect(await raw.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#) }
    }

    @Test("Answers without a call are ignored and reported as stray")
    func strayAnswers() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        for id in ["7", #""x""#, "null"] {
            await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"result":1}"# + "\n")
            await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":1,"message":"no"}}"# + "\n")
        }
        let answer = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
        let id = try await raw.call("ask")
        await raw.write(
            #"{"jsonrpc":"2.0","id":\#(id),"result":42}"# + "\n" + #"{"jsonrpc":"2.0","id":\#(id),"result":43}"# + "\n")
        #expect(try await answer.value == 42)
        await raw.write("garbage\n")
        #expect(await eventually { subject.strays.all.count == 8 })
        #expect(subject.strays.all.suffix(2) == ["a response to an unknown call", "a line that is not a message"])
    }

    @Test("The number of a call does not reveal the next one, and is exact as a Double")
    func numbers() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        var numbers: [Int] = []
        for _ in 1...8 {
            let call = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
            numbers.append(try await raw.call("ask"))
            call.cancel()
            _ = await raw.line()
        }
        // By chance, two of the seven differences are equal once in 10^14 runs.
        #expect(Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 }).count == 7)
        #expect(numbers.allSatisfy { Int(exactly: Double($0)) == $0 && $0 > 0 })
    }

    @Test("The first answer to a cancelled call is passed to the handler for late answers")
    func late() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        let taken = Mutex<[Int]>([])
        let call = Task {
            try await subject.peer.call("ask", EmptyPayload(), as: Int.self) { value in
                taken.withLock { $0.append(value) }
            }
        }
        let id = try await raw.call("ask")
        call.cancel()
        let error = await #expect(throws: ViperError.self) { try await call.value }
        #expect(error?.code == .callCancelled)
        #expect(await raw.line() == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#)
        for value in 42...43 { await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(value)}"# + "\n") }
        #expect(await eventually { taken.withLock { $0 } == [42] })
    }

    @Test(
        "An error of another program keeps its message and its code",
        arguments: ["", #","data":[1]"#, #","data":"x""#])
    func foreignError(data: String) async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        let answer = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
        let id = try await raw.call("ask")
        await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-5,"message":"no"\#(data)}}"# + "\n")
        let error = await #expect(throws: ViperError.self) { try await answer.value }
        #expect(error?.code == .callFailed && error?.cause == "no (-5)")
    }

    @Test("A call that reaches its own time limit fails, and the other end cancels it")
    func limited() async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        let call = Task {
            try await subject.peer.call("ask", EmptyPayload(), as: Int.self, within: .milliseconds(10))
        }
        let id = try await raw.call("ask")
        #expect(await raw.line() == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#)
        let error = await #expect(throws: ViperError.self) { try await call.value }
        #expect(error?.code == .callCancelled)
    }

    @Test("A call fails if the connection is lost or the caller is cancelled")
    func unanswered() async throws {
        let (raw, subject) = try PeerSubject.connected()
        let lost = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
        _ = await raw.line()
        let left = Task { try await subject.peer.call("ask", EmptyPayload(), as: Int.self) }
        _ = await raw.line()
        left.cancel()
        let cancelled = await #expect(throws: ViperError.self) { try await left.value }
        #expect(cancelled?.code == .callCancelled)
        raw.vanish()
        let error = await #expect(throws: ViperError.self) { try await lost.value }
        #expect(error?.code == .connectionLost)
        let later = await #expect(throws: ViperError.self) {
            try await subject.peer.call("ask", EmptyPayload(), as: Int.self)
        }
        #expect(later?.code == .connectionLost)
        #expect(await eventually { subject.ends.withLock { $0.count } == 1 })
    }

    @Test("A running call is cancelled when the other end is lost")
    func vanished() async throws {
        let (raw, subject) = try PeerSubject.connected()
        await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"hang"}"# + "\n")
        #expect(await eventually { subject.heard.all == ["hang"] })
        raw.vanish()
        #expect(await eventually { subject.cancelled.count == 1 })
    }

    @Test("A call that the other end cancels is cancelled, whatever the form of its ID", arguments: ["1", #""x""#])
    func cancelled(id: String) async throws {
        let (raw, subject) = try PeerSubject.connected()
        defer { subject.peer.close() }
        await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"hang"}"# + "\n")
        for other in ["2", "[]", "null"] {
            await raw.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(other)}}"# + "\n")
        }
        await raw.write(#"{"jsonrpc":"2.0","id":3,"method":"greet","params":{"name":"Ada"}}"# + "\n")
        // The other cancellations have been handled when this call is answered.
        #expect(await raw.line()?.contains("Hello Ada") == true)
        #expect(subject.cancelled.count == 0)
        await raw.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n")
        #expect(await raw.line() == #"{"id":\#(id),"jsonrpc":"2.0","result":"too late"}"#)
        #expect(subject.cancelled.count == 1)
    }

    @Test("A call is answered after the input ends, and then the connection closes")
    func lastCall() async throws {
        let (raw, subject) = try PeerSubject.connected()
        await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"wait"}"#)
        raw.endOutput()
        #expect(await eventually { subject.gate.withLock { $0.count } == 1 })
        subject.open()
        #expect(await raw.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
        #expect(await raw.line() == nil)
        #expect(await eventually { subject.ends.withLock { $0 } == [nil] })
    }

    @Test("A call that exceeds the time limit is answered with an error and cancelled")
    func timeLimit() async throws {
        let (raw, subject) = try PeerSubject.connected { $0.time = .milliseconds(50) }
        defer { subject.peer.close() }
        await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"hang"}"# + "\n")
        let answer = try #require(await raw.line())
        #expect(answer.contains(#""code":"time-limit""#) && answer.contains("0.05 s"), "\(answer)")
        #expect(await eventually { subject.cancelled.count == 1 })
        // On a busy machine this call may exceed the time limit, too.
        let isGreeted = await eventually {
            await raw.write(#"{"jsonrpc":"2.0","id":2,"method":"greet","params":{"name":"Ada"}}"# + "\n")
            return await raw.line()?.contains("Hello Ada") == true
        }
        #expect(isGreeted)
    }

    @Test("A call without a time limit runs until it is cancelled or the peer drains", arguments: [false, true])
    func unlimited(drains: Bool) async throws {
        let (raw, subject) = try PeerSubject.connected { $0.time = .milliseconds(50) }
        defer { subject.peer.close() }
        for (id, method) in [(1, "endless"), (2, "hang")] {
            await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n")
        }
        // The second call has begun later and has reached the limit.
        let answer = try #require(await raw.line())
        #expect(answer.contains(#""code":"time-limit""#) && answer.contains(#""id":2"#), "\(answer)")
        if drains {
            subject.peer.drain()
        } else {
            await raw.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"# + "\n")
        }
        #expect(await raw.line() == #"{"id":1,"jsonrpc":"2.0","result":"ended"}"#)
        if drains { #expect(await raw.line() == nil) }
    }

    @Test("Calls above the limit are refused")
    func callLimit() async throws {
        let (raw, subject) = try PeerSubject.connected { $0.calls = 2 }
        defer { subject.peer.close() }
        for id in 1...3 { await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"wait"}"# + "\n") }
        let refusal = try #require(await raw.line())
        #expect(refusal.contains(#""id":3"#) && refusal.contains(#""subject":"calls""#), "\(refusal)")
        #expect(await eventually { subject.gate.withLock { $0.count } == 2 })
        subject.open()
        for _ in 1...2 { #expect(await raw.line()?.contains(#""result":{}"#) == true) }
    }

    @Test(
        "The last error without an id is the cause of a lost connection, and a later message clears it",
        arguments: [false, true])
    func refusal(isCleared: Bool) async throws {
        let (raw, subject) = try PeerSubject.connected()
        let error =
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no","data":{"#
            + #""code":"scene-unknown","operation":"cannot use","subject":"x","cause":"the house is full","notes":[]}}}"#
        await raw.write(error + "\n")
        if isCleared { await raw.write(#"{"jsonrpc":"2.0","method":"noise"}"# + "\n") }
        raw.vanish()
        #expect(await eventually { subject.ends.withLock { $0.count } == 1 })
        let end = try #require(subject.ends.withLock { $0[0] })
        #expect(end.code == .connectionLost)
        #expect((end.cause == "the house is full") != isCleared, "\(end)")
        let later = await #expect(throws: ViperError.self) {
            try await subject.peer.call("ask", EmptyPayload(), as: Int.self)
        }
        #expect(later == end)
    }

    @Test("A client that waits for each answer stays within a limit of one call")
    func oneCall() async throws {
        let (raw, subject) = try PeerSubject.connected { $0.calls = 1 }
        defer { subject.peer.close() }
        for id in 1...3_000 {
            await raw.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"task"}"# + "\n")
            let answer = try #require(await raw.line())
            try #require(answer.contains(#""result":"done""#), "\(answer)")
        }
    }

    @Test("An answer that is too long or not valid JSON is replaced by an error", arguments: ["long", "infinite"])
    func invalidAnswer(method: String) async throws {
        let answer = try await answer(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#) { $0.pending = 5000 }
        let code = method == "long" ? "limit-reached" : "json-invalid"
        #expect(
            answer?.contains(#""data":{"#) == true && answer?.contains(#""code":"\#(code)""#) == true, "\(answer ?? "")"
        )
    }
}
