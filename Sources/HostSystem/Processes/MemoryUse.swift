import Glibc

/// A process's memory use, as the kernel reports it.
package struct MemoryUse: Sendable {
    /// An open `statm` file. It belongs to the same process even if the process ID is reused.
    private let descriptor: Int32

    /// Creates a value by opening the `statm` file of a process. Returns nil and sets `errno` if the process has exited
    /// or the file cannot be opened.
    package init?(of process: Int32) {
        descriptor = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    /// The resident memory in bytes, or 0 if the process has exited.
    package var resident: Int {
        let text = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        // `statm` has seven numbers in pages. The second number is the resident memory.
        let numbers = text.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    package func close() { Glibc.close(descriptor) }
}
