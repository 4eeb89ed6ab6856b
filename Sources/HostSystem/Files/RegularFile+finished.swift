package import FoundationEssentials
import Glibc
import Synchronization

extension RegularFile {
    /// Returns the file's whole content. Throws if another process may still be writing the file.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - hasLeases: True to use a kernel lease if possible. Tests pass false to simulate a file system without
    ///     leases.
    ///   - settlingTime: The time for which a file without a lease must have been unchanged.
    /// - Throws: A failure whose ``Failure/isUnfinished`` is true if a process has the file open for writing, if the
    ///   file changes during the read, or if a file without a lease has changed within the settling time. Another
    ///   failure if the file cannot be read or exceeds the limit.
    package func readFinished(
        limit: Int, hasLeases: Bool = true, settlingTime: Duration = .seconds(2)
    ) throws(Failure) -> Data {
        try whileFinished(hasLeases: hasLeases, settlingTime: settlingTime) { file throws(Failure) in
            try file.read(limit: limit)
        }
    }

    /// Calls a closure that reads parts of the file, and returns its result.
    ///
    /// - Throws: The same failures as ``readFinished(limit:hasLeases:settlingTime:)``, or the error of the closure.
    package func whileFinished<Value>(
        hasLeases: Bool = true, settlingTime: Duration = .seconds(2),
        _ read: (borrowing RegularFile) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if hasLeases, let lease = try ReadLease(on: descriptor) {
            let content = try whileUnchanged(read)
            guard lease.isWhole else { throw .beingWritten }
            return content
        }
        guard try hasSettled(for: settlingTime) else {
            throw .unfinished("it changed less than \(settlingTime.components.seconds) seconds ago")
        }
        return try whileUnchanged(read)
    }

    private func whileUnchanged<Value>(
        _ read: (borrowing RegularFile) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = try identity()
        let content = try read(self)
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
        // Either the clock was set back, or the time comes from another machine's clock. Use the time since this
        // process first saw this identity instead.
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

    /// Returns the failure for a file that is or may be incomplete. Its error number is ETXTBSY, which the kernel
    /// reports on an attempt to run a program that is open for writing.
    static func unfinished(_ cause: String) -> Self { Self(cause, errno: ETXTBSY) }

    /// True if the file is or may be incomplete. A later read may succeed.
    package var isUnfinished: Bool { errno == ETXTBSY }
}
