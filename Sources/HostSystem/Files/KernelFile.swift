import Glibc

/// A reader of files that the kernel generates on each read, such as the files in `/proc`. The reported size of such a
/// file is 0, and one read may return only part of the content.
package enum KernelFile {
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
