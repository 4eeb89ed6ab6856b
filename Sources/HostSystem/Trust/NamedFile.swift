import Glibc

/// An open file that the user names, such as a download, and what the rules of ``Trust`` say of it.
package struct NamedFile: ~Copyable {
    package let content: RegularFile
    /// The ID of the file's owner. Nil if the owner is a trusted user.
    package let stranger: UInt32?
    /// A failure if other users than the owner can write to the file, or to a folder above it.
    private let exposure: RegularFile.Failure?
    private let trust: Trust

    /// Opens the file at an absolute path.
    package init(_ path: String, _ trust: Trust) throws(RegularFile.Failure) {
        // With O_NONBLOCK, opening a named pipe does not wait for a writer.
        let (descriptor, exposure) = try trust.openNamed(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        content = try RegularFile(descriptor: descriptor)
        stranger = trust.owners.contains(content.owner) ? nil : content.owner
        (self.exposure, self.trust) = (exposure, trust)
    }

    /// Checks that only the file's owner can change it.
    ///
    /// - Throws: The same failures as ``Trust/enforce(_:)``.
    package func checkExposure() throws(RegularFile.Failure) {
        if let exposure { try trust.enforce(exposure) }
    }
}
