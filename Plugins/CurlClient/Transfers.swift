import CCurl
import Dispatch
import Synchronization
import ViperKit

/// The running transfers. One thread drives all of them, and stops when no transfer is left.
final class Transfers: Sendable {
    /// A handle for cancelling a transfer.
    final class Ticket: Sendable {
        fileprivate let isCancelled = Atomic(false)
    }

    private struct Order: Sendable {
        var request: HTTPRequest
        var ticket: Ticket
        var end: @Sendable (Transfer.Outcome) -> Void
    }

    private let multi: Multi
    private let authorities: Authorities
    private let queue = DispatchQueue(label: "http-client")
    /// The transfers that have not started, and a flag that is true while the thread is running.
    private let state = Mutex<(waiting: [Order], isRunning: Bool)>(([], false))

    init(_ authorities: Authorities) throws(ViperError) { (multi, self.authorities) = (try Multi(), authorities) }

    /// Starts a transfer.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - ticket: The ticket for cancelling the transfer.
    ///   - end: A closure that receives the outcome. It is called once, on the thread that drives the transfers.
    func begin(_ request: HTTPRequest, _ ticket: Ticket, end: @escaping @Sendable (Transfer.Outcome) -> Void) {
        let isRunning = state.withLock { state in
            state.waiting.append(Order(request: request, ticket: ticket, end: end))
            defer { state.isRunning = true }
            return state.isRunning
        }
        if isRunning { multi.wake() } else { queue.async(execute: run) }
    }

    /// Cancels a transfer, even if it has not started yet.
    func cancel(_ ticket: Ticket) {
        ticket.isCancelled.store(true, ordering: .relaxed)
        multi.wake()
    }

    private func run() {
        var current: [OpaquePointer: (transfer: Transfer, order: Order)] = [:]
        func end(_ easy: OpaquePointer, _ outcome: (Transfer) -> Transfer.Outcome) {
            guard let (transfer, order) = current.removeValue(forKey: easy) else { return }
            multi.remove(easy)
            order.end(outcome(transfer))
        }
        while let orders = next(isIdle: current.isEmpty) {
            for order in orders {
                guard let transfer = Transfer(order.request, authorities), multi.add(transfer.easy) else {
                    order.end(.failure(.noMemory))
                    continue
                }
                current[transfer.easy] = (transfer, order)
            }
            for (easy, (_, order)) in current where order.ticket.isCancelled.load(ordering: .relaxed) {
                end(easy) { _ in .failure(.cancelled) }
            }
            for (easy, code) in multi.perform() { end(easy) { $0.outcome(code) } }
            if !current.isEmpty { multi.wait() }
        }
    }

    /// Returns the transfers to start. If no transfer is running or waiting, marks the thread as stopped and returns
    /// nil.
    ///
    /// - Parameter isIdle: True if no transfer is running.
    private func next(isIdle: Bool) -> [Order]? {
        state.withLock { state in
            if isIdle, state.waiting.isEmpty {
                state.isRunning = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}

/// A libcurl handle that drives several transfers and keeps connections open for reuse.
///
/// The type is `@unchecked Sendable`, because other threads call only ``wake()``, which libcurl allows.
private final class Multi: @unchecked Sendable {
    private let multi: OpaquePointer

    init() throws(ViperError) {
        // curl_global_init is thread-safe since libcurl 7.84.
        _ = Self.isReady
        guard let multi = curl_multi_init() else {
            throw ViperError(
                .serviceFailed, operation: "cannot create", subject: "an HTTP client", cause: "memory is exhausted")
        }
        self.multi = multi
    }

    deinit { curl_multi_cleanup(multi) }

    private static let isReady = curl_global_init(CURL_GLOBAL_DEFAULT) == 0

    func wake() { curl_multi_wakeup(multi) }

    func add(_ easy: OpaquePointer) -> Bool { curl_multi_add_handle(multi, easy) == 0 }

    func remove(_ easy: OpaquePointer) { curl_multi_remove_handle(multi, easy) }

    /// Waits until a transfer can continue, ``wake()`` is called, or one second has passed.
    func wait() { curl_multi_poll(multi, nil, 0, 1000, nil) }

    /// Continues all transfers. Returns the finished transfers with their libcurl result codes.
    func perform() -> [(easy: OpaquePointer, code: Int32)] {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var ended: [(OpaquePointer, Int32)] = []
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left)?.pointee {
            if message.msg == CURLMSG_DONE { ended.append((message.easy_handle, message.data.result)) }
        }
        return ended
    }
}
