import HostSystem

/// The resident memory of the libraries in this process, from `/proc/self/smaps`. See proc_pid_smaps(5).
package struct ImageMemory {
    /// The resident memory in bytes, keyed by path.
    private var resident: [String: Int] = [:]

    package init() {
        guard let text = KernelFile.read("/proc/self/smaps") else { return }
        var path = ""
        for line in text.split(separator: 0x0A) {
            let words = line.split(separator: 0x20, maxSplits: 5)
            if words.count == 6, words[1].count == 4 {
                path = String(decoding: words[5].drop { $0 == 0x20 }, as: UTF8.self)
                // The kernel marks the path of a removed file, such as the library of a stopped generation.
                let deleted = " (deleted)"
                if path.hasSuffix(deleted) { path.removeLast(deleted.count) }
            } else if words.count >= 2, words[0].elementsEqual("Rss:".utf8) {
                resident[path, default: 0] += (Int(String(decoding: words[1], as: UTF8.self)) ?? 0) * 1024
            } else if words.count == 5 {
                // Mappings without a file have no path.
                path = ""
            }
        }
    }

    /// Returns the memory in bytes of the libraries of a module's retired generations.
    package func ofRetired(_ module: ModuleRecord) -> Int {
        let current = module.generation?.code.image
        return module.history.images.filter { $0 != current }.reduce(0) { $0 + resident[$1, default: 0] }
    }
}
