import HostSystem

/// How much of the libraries that were loaded into this process is in memory, as Linux tells it: `man 5 proc`, smaps.
struct ImageMemory {
    /// Resident bytes by path.
    private var resident: [String: Int] = [:]

    /// Looks once.
    init() {
        guard let text = KernelFile.read("/proc/self/smaps") else { return }
        var path = ""
        for line in text.split(separator: 0x0A) {
            let words = line.split(separator: 0x20, maxSplits: 5)
            if words.count == 6, words[1].count == 4 {
                path = String(decoding: words[5].drop { $0 == 0x20 }, as: UTF8.self)
                // The file of a generation that has ended is removed.
                let deleted = " (deleted)"
                if path.hasSuffix(deleted) { path.removeLast(deleted.count) }
            } else if words.count >= 2, words[0].elementsEqual("Rss:".utf8) {
                resident[path, default: 0] += (Int(String(decoding: words[1], as: UTF8.self)) ?? 0) * 1024
            } else if words.count == 5 {
                // A mapping without a file.
                path = ""
            }
        }
    }

    /// What of an image is in memory, in bytes.
    func bytes(of path: String) -> Int { resident[path, default: 0] }
}
