import FoundationEssentials
import HostDriver

extension ServingHost {
    /// Returns the bytes that only the host's process uses and that it has written; see proc_pid_smaps(5).
    func privateMemory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw UnexpectedResult(text)
        }
        return kibibytes * 1024
    }
}
