package import FoundationEssentials
import Glibc
import Synchronization

extension RegularFile {
    /// Returns the whole content of a file that no process is writing.
    ///
    /// - Parameters:
    ///   - hasLeases: Whether the kernel is asked for a lease; false in tests of files for which it grants none.
    ///   - settlingTime: The time for which a file without a lease must not have changed.
    /// - Throws: A failure that ``Failure/isUnfinished`` if a process has the file open for writing, if the file changes while it is
    ///   read, or, without a lease, if it has changed within the settling time.
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
        // The size is of the time when the file was opened.
        guard try identity() == before, before.size == size else { throw .unfinished("it changes while it is read") }
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
        // The clock was set back, or is another machine's. What counts then is how long this process has seen the file like this.
        let now = ContinuousClock.now
        return futureFiles.withLock { files in
            if files.count > 1000 { files = [:] }
            let first = files[identity, default: now]
            files[identity] = first
            return now - first >= settlingTime
        }
    }
}

/// When this process first saw files whose change time is in the future.
private let futureFiles = Mutex<[FileIdentity: ContinuousClock.Instant]>([:])

extension RegularFile.Failure {
    /// A process has the file open for writing.
    static var beingWritten: Self { .unfinished("a process has it open for writing") }

    package var isOpenForWriting: Bool { cause == Self.beingWritten.cause }

    /// The file is not complete, or may not be. ETXTBSY is what the system says of a program that is open for writing.
    static func unfinished(_ cause: String) -> Self { Self(cause, errno: ETXTBSY) }

    /// True if the file may be complete later.
    package var isUnfinished: Bool { errno == ETXTBSY }
}
