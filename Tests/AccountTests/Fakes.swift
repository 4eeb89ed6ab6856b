import HostSystem
import Synchronization
import ViperKit

/// An in-memory credential store that can fail every call, and delay reads.
final class FakeStore: CredentialStore {
    private let kept: Mutex<Credential?>
    private let failure: ViperError?
    /// The condition for which reads wait.
    private let gate: OneShot<Void>?

    var current: Credential? { kept.withLock { $0 } }

    init(_ credential: Credential? = nil, failing failure: ViperError? = nil, until gate: OneShot<Void>? = nil) {
        kept = Mutex(credential)
        (self.failure, self.gate) = (failure, gate)
    }

    func credential() async throws(ViperError) -> Credential? {
        try fail()
        // A file takes its time, in which other calls can begin.
        await Task.yield()
        await gate?.value()
        return current
    }

    func save(_ credential: Credential) async throws(ViperError) {
        try fail()
        kept.withLock { $0 = credential }
    }

    func remove() async throws(ViperError) {
        try fail()
        kept.withLock { $0 = nil }
    }

    private func fail() throws(ViperError) { if let failure { throw failure } }
}

let storeError = ViperError(
    .storeFailed, operation: "cannot use", subject: "the store", cause: "of the test", notes: [.init("mode", "644")],
    fix: "remove it")
