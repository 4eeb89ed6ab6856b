import Glibc
import HostSystem

/// The process that holds the `flock` lock on a file, according to the kernel.
package struct LockHolder {
    package let process: Int32
    package let user: UInt32

    /// Creates a description of the process that holds the lock on a file. Returns nil if no process holds the lock, or
    /// if the kernel does not report the process.
    init?(of descriptor: Int32) {
        var file = stat()
        guard fstat(descriptor, &file) == 0, let locks = KernelFile.read("/proc/locks") else { return nil }
        let place = Self.place(of: file)
        // An example line: `1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234567 0 EOF`
        for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5] == place, let process = pid_t(words[4]) else {
                continue
            }
            // The effective user of a process owns its folder in `/proc`.
            var folder = stat()
            guard stat("/proc/\(process)", &folder) == 0 else { continue }
            (self.process, user) = (process, folder.st_uid)
            return
        }
        return nil
    }

    /// Returns the identifier of a file in `/proc/locks`, which consists of the major and minor device numbers in
    /// hexadecimal and the inode number.
    private static func place(of file: stat) -> String {
        // Extracts the same bits as `gnu_dev_major` and `gnu_dev_minor` in `<sys/sysmacros.h>`.
        let device = UInt64(file.st_dev)
        let (major, minor) = (device >> 8 & 0xFFF | device >> 32 & ~0xFFF, device & 0xFF | device >> 12 & ~0xFF)
        let numbers = [major, minor].map { number in
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0\(digits)" : digits
        }
        return "\(numbers[0]):\(numbers[1]):\(file.st_ino)"
    }
}
