import Glibc

/// How much memory a process uses, as the system counts it.
struct MemoryUse: Sendable {
    /// Stays with this process, even when its number becomes another's.
    private let descriptor: Int32

    /// Nil when the process is gone, or no descriptor is left; `errno` says why.
    init?(of process: pid_t) {
        descriptor = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    /// Bytes in memory; 0 when the process has ended.
    var resident: Int {
        let text = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            // The system call writes into the buffer, and says how much.
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        // Seven numbers, in pages; the second is what is in memory.
        let numbers = text.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    func close() { Glibc.close(descriptor) }
}
