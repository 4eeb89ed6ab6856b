import Glibc

/// A file that the kernel makes up while it is read, as those in `/proc` are. It has no size, and comes in pieces.
package enum KernelFile {
    /// Its whole content. Nil when it cannot be read.
    package static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        while true {
            switch SystemRead(of: descriptor) {
            case .bytes(let piece): content += piece
            case .end: return content
            case .failed: return nil
            }
        }
    }
}
