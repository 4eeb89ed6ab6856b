package import FoundationEssentials
import Glibc
import Synchronization

extension RegularFile {
    /// Returns the whole content of a file that no process is writing.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - hasLeases: Pass false to skip the kernel's lease. Tests use this for files without leases.
    ///   - settlingTime: The time for which a file without a lease must be unchanged.
    /// - Throws: A failure with ``Failure/isUnfinished`` if a process has the file open for writing, or if the file
    ///   changes during the read. Without a lease, also if the file has changed within the settling time.
    package func readFinished(
        limit: Int, hasLeases: Bool = true, settlingTime: Duration = .seconds(2)
    ) throws(Failure) -> Data {
        if hasLeases, let lease = try ReadLease(on: descriptor) {
            let content = try readUnchanged(limit: limit)
            guard lease.isWhole else { throw .beingWritten }
            return content
        }
        guard try hasSettled(for: settlingTime) else {
            throw .unfinished("it changed less than \(settlingTime.components.seconds) seconds ago")
        }
        return try readUnchanged(limit: limit)
    }

    private func readUnchanged(limit: Int) throws(Failure) -> Data {
        let before = try identity()
        let content = try read(limit: limit)
        // `size` was read when the file was opened.
        guard try identity() == before, before.size == size else { throw .unfinished("it changed while it was read") }
        return content
    }

    private func identity() throws(Failure) -> FileIdentity {
        guard let identity = FileIdentity(of: descriptor) else { throw Failure(errno: errno) }
        return identity
    }

    private func hasSettled(for settlingTime: Duration) throws(Failure) -> Bool {
        let identity = try identity()
        let age = identity.age
        if age >= .zero { return age >= settlingTime }
        // The clock was set back, or the time comes from another machine's clock. Use the time since this process first
        // saw this identity instead.
        let now = ContinuousClock.now
        return futureFiles.withLock { files in
            if files.count > 1000 { files = [:] }
            let first = files[identity, default: now]
            files[identity] = first
            return now - first >= settlingTime
        }
    }
}

/// The times at which this process first saw files whose change time is in the future.
private let futureFiles = Mutex<[FileIdentity: ContinuousClock.Instant]>([:])

extension RegularFile.Failure {
    static var beingWritten: Self { .unfinished("a process has it open for writing") }

    package var isOpenForWriting: Bool { cause == Self.beingWritten.cause }

    /// Returns the failure of a file that is or may be incomplete. ETXTBSY is also the error for running a program that
    /// a process has open for writing.
    static func unfinished(_ cause: String) -> Self { Self(cause, errno: ETXTBSY) }

    /// True if the file may be complete later.
    package var isUnfinished: Bool { errno == ETXTBSY }
}
