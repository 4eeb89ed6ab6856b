import Synchronization

/// A client as the server tells clients apart: the browser of a session, or all requests without a session together,
/// or all probes together.
final class Client: Sendable {
    /// False for the clients of all requests without a session, and of all probes. Such a client has a smaller share of each pool, and only that.
    let isKnown: Bool
    private let form: Atomic<Bool>
    private let pages = WorkQueue()

    init(isKnown: Bool = true, hasSentForm: Bool = false) {
        self.isKnown = isKnown
        form = Atomic(hasSentForm)
    }

    /// True if the client has sent a form of its session. A client that only collects sessions has not.
    var hasSentForm: Bool { form.load(ordering: .relaxed) }

    /// Notes that the client has sent a form of its session.
    func noteForm() { form.store(true, ordering: .relaxed) }

    /// Does a piece of work on a page of the client: reads its screen, or turns it into HTML. The client's earlier pieces end
    /// first. So a client with large pages uses one processor, and others wait for one of its pieces, not for all.
    ///
    /// - Parameter work: The work. It must not wait for a module or for another turn. It is cancelled with its caller.
    func inTurn<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let piece = pages.add(work)
        return await withTaskCancellationHandler {
            await piece.value
        } onCancel: {
            piece.cancel()
        }
    }
}

/// The claim of a client to what it holds when a pool is full.
struct Claim: Comparable {
    var hasSentForm: Bool
    /// The amount that the client holds.
    var amount: Int

    /// The order in which clients lose: first those that never sent a form, and of these the one that holds most.
    static func < (left: Claim, right: Claim) -> Bool {
        (left.hasSentForm ? 1 : 0, right.amount) < (right.hasSentForm ? 1 : 0, left.amount)
    }

    /// Returns true if a client with this claim loses to a client that would then have the other claim.
    func yields(to other: Claim) -> Bool { other.hasSentForm && !hasSentForm || amount > other.amount }
}
