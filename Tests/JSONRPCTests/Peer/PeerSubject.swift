import Synchronization
import TestSupport
import ViperKit

@testable import JSONRPC

/// A peer that answers `greet`, `fail`, `task`, `wait` (after ``open()``), `hang`, `endless`, `infinite` and `long`.
final class PeerSubject: Sendable {
    struct Named: CallParameters, Encodable, Sendable, Equatable {
        enum CodingKeys: String, CodingKey, CaseIterable { case name }
        var name: String
    }

    let peer: Peer
    let gate = Mutex<[CheckedContinuation<Void, Never>]>([])
    let heard = Steps()
    let strays = Steps()
    let ends = Mutex<[ViperError?]>([])
    let cancelled = Tally()

    init(_ descriptor: Int32, _ limits: Limits) {
        peer = Peer(LineConnection(reading: descriptor, writing: descriptor, limits: limits), limits: limits)
        peer.start { [self] method, content throws(ViperError) in
            try answer(method, content)
        } end: { error in
            self.ends.withLock { $0.append(error) }
        } stray: { line in
            self.strays.add(line)
        }
    }

    func open() { for waiting in gate.withLock({ $0 }) { waiting.resume() } }

    private func answer(_ method: String, _ content: MessageContent) throws(ViperError) -> Peer.Answer {
        heard.add(method)
        switch method {
        case "greet": return .now("Hello \(try content.parameters(Named.self).name)")
        case "fail":
            throw ViperError(
                .storeFailed, operation: "cannot do", subject: "it", cause: "so", notes: [.init("at", "noon")],
                fix: "wait")
        case "task": return .later { () throws(ViperError) in "done" }
        case "wait":
            return .later { [self] () throws(ViperError) in
                await withCheckedContinuation { waiting in gate.withLock { $0.append(waiting) } }
                return EmptyPayload()
            }
        case "hang":
            return .later { [cancelled] () throws(ViperError) in
                do { try await Task.sleep(for: .seconds(1000)) } catch { _ = cancelled.next() }
                return "too late"
            }
        case "endless":
            return .unlimited { [cancelled] () throws(ViperError) in
                do { try await Task.sleep(for: .seconds(1000)) } catch { _ = cancelled.next() }
                return "ended"
            }
        case "infinite": return .now(Double.infinity)
        case "long": return .now(String(repeating: "x", count: 10_000))
        default:
            throw ViperError(
                .methodUnknown, operation: "cannot call method", subject: method, cause: "it does not exist")
        }
    }

    /// Returns a subject and the other end of its connection.
    static func connected(_ change: (inout Limits) -> Void = { _ in }) throws -> (raw: RawEnd, subject: PeerSubject) {
        var limits = Limits()
        // Longer than a busy machine needs. Tests of the time limit set their own.
        limits.time = .seconds(300)
        change(&limits)
        let (raw, other) = try RawEnd.pair()
        return (raw, PeerSubject(other, limits))
    }
}
