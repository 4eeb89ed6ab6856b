import HostSystem
import Synchronization
import ViperKit

/// An in-memory credential store that can fail every call, delay reads, and change before each replacement.
final class FakeStore: CredentialStore {
    private let kept: Mutex<Credential?>
    private let replacements = Mutex(0)
    private let failure: ViperError?
    private let isAlwaysChanged: Bool
    /// The condition for which reads wait.
    private let gate: OneShot<Void>?

    var current: Credential? { kept.withLock { $0 } }
    /// The number of attempts to replace the credential.
    var replacementCount: Int { replacements.withLock { $0 } }

    init(
        _ credential: Credential? = nil, failing failure: ViperError? = nil, until gate: OneShot<Void>? = nil,
        isAlwaysChanged: Bool = false
    ) {
        kept = Mutex(credential)
        (self.failure, self.gate, self.isAlwaysChanged) = (failure, gate, isAlwaysChanged)
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

    func replace(_ old: Credential?, with new: Credential?) async throws(ViperError) -> Bool {
        try fail()
        replacements.withLock { $0 += 1 }
        if isAlwaysChanged { return false }
        return kept.withLock { kept in
            guard kept == old else { return false }
            kept = new
            return true
        }
    }

    private func fail() throws(ViperError) { if let failure { throw failure } }
}

let storeError = ViperError(
    .storeFailed, operation: "cannot use", subject: "the store", cause: "of the test", notes: [.init("mode", "644")],
    fix: "remove it")
