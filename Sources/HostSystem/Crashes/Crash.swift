import FoundationEssentials
import Glibc

/// A crash of a host, as ``CrashHandler`` has reported it.
package struct Crash: Sendable, Equatable {
    package var signal: Int32
    /// The time in seconds since 1970.
    package var time: Int
    /// The module at fault. Nil if no code of a module was running.
    package var moduleAtFault: ModuleAtFault?
    /// The digest of the module's library, if known.
    package var digest: Digest?

    /// The suffix of a report that no host has read.
    package static let newSuffix = ".new"
    /// The suffix of a report that is not complete. The handler renames it as soon as it is.
    package static let unfinishedSuffix = ".part"

    /// The module whose code has crashed.
    package struct ModuleAtFault: Sendable, Equatable, CustomStringConvertible {
        package var name: String
        package var version: String
        /// The mangled name of the function. Nil if the library does not export it.
        package var symbol: String?

        package var description: String {
            "module \(name) \(version)" + (symbol.map { ", in \(demangled($0))" } ?? "")
        }

        /// Creates a value from fields of a report. Returns nil if the module is unknown.
        init?(_ fields: [Substring]) {
            guard fields.count == 3, fields[0] != "-", fields[1] != "-" else { return nil }
            (name, version) = (String(fields[0]), String(fields[1]))
            symbol = fields[2] == "-" ? nil : String(fields[2])
        }

        /// Creates a value from a line that the handler has written to standard error. Returns nil for other lines.
        ///
        /// - Parameter signal: The signal that ended the process. A line with another signal is not from the handler.
        package init?(line: String, signal: Int32) {
            // host: crash: signal 11 in module people 1.2.0 at $s…
            let words = line.split(separator: " ")
            guard words.count == 8 || words.count == 10 && words[8] == "at",
                words[..<3] == ["host:", "crash:", "signal"], words[3] == "\(signal)", words[4...5] == ["in", "module"]
            else { return nil }
            self.init([words[6], words[7], words.count == 10 ? words[9] : "-"])
        }
    }

    /// Creates a crash from the content of a report. Returns nil if the report is damaged.
    package init?(report: some Sequence<UInt8>) {
        let bytes = Array(report)
        // A report is one line of ASCII text without control characters. The last field may be cut off.
        guard bytes.count <= Self.limit, bytes.last == UInt8(ascii: "\n"),
            bytes.dropLast().allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        let fields = String(decoding: bytes.dropLast(), as: UTF8.self).split(separator: " ")
        guard fields.count == 7, fields[0] == "1", let signal = Int32(fields[1]), (1...64).contains(signal),
            let time = Int(fields[2]), (0...Self.latest).contains(time)
        else { return nil }
        (self.signal, self.time) = (signal, time)
        moduleAtFault = ModuleAtFault([fields[3], fields[4], fields[6]])
        if moduleAtFault != nil { digest = Digest(String(fields[5])) }
    }

    /// The maximum size of a report in bytes.
    package static let limit = 4096
    /// The last second of the year 9999.
    private static let latest = 253_402_300_799

    /// The time in UTC, such as `2026-01-31T12:00:00Z`.
    package var when: String { Date(timeIntervalSince1970: Double(time)).formatted(.iso8601) }

    /// A predicate for the subject "the host", such as "was terminated by signal 11 (Segmentation fault) in module people
    /// 1.2.0".
    package var description: String {
        "was terminated by signal \(signal) (\(String(cString: strsignal(signal)))) in "
            + (moduleAtFault.map(\.description) ?? "unknown code")
    }
}
