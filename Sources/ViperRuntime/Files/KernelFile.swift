import Glibc

/// A file that the kernel makes up while it is read, as those in `/proc` are. It has no size, and comes in pieces.
enum KernelFile {
    /// Its whole content. Nil when it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        while true {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                // The system call writes into the buffer, and says how much.
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                (failure, count) = (result < 0 ? errno : 0, max(0, result))
            }
            if failure == EINTR { continue }
            if failure != 0 { return nil }
            if piece.isEmpty { return content }
            content += piece
        }
    }
}
