import HostSystem

/// A library that this process has loaded.
struct LoadedLibrary {
    /// The path from which it was loaded. The file may have been replaced since.
    let path: String
    /// The address at which it begins in memory.
    let start: UInt
    /// The build ID in memory. Nil if it has none.
    let buildID: String?

    /// Returns true if a file has what was loaded: it is the same file, or has the same build ID or, without one, the same
    /// bytes. Also returns true if this cannot be found out.
    ///
    /// - Parameter inodes: The inodes of the mapped files, by address.
    func isSame(as path: String, _ inodes: [UInt: UInt]) -> Bool {
        // The dynamic linker skips a file that it cannot read.
        guard let file = try? RegularFile(path: path) else { return true }
        if inodes[start & ~4095] == file.inode { return true }
        let id = (try? ElfFile.buildID(of: file)).flatMap(\.self)
        if id != nil || buildID != nil { return id == buildID }
        // Some file systems, such as overlays, show other inodes in the maps.
        guard let own = try? RegularFile(path: self.path), own.inode != file.inode,
            let bytes = try? own.read(limit: ElfFile.limit), let others = try? file.read(limit: ElfFile.limit)
        else { return true }
        return bytes == others
    }

    /// Returns the inodes of the files that this process has mapped, by the address of the mapping. See proc_pid_maps(5).
    static func inodes() -> [UInt: UInt] {
        guard let maps = KernelFile.read("/proc/self/maps") else { return [:] }
        var inodes: [UInt: UInt] = [:]
        // An example: 7f1c2a000000-7f1c2a021000 r--p 00000000 fd:01 1835024   /usr/lib/libz.so.1
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5).prefix(5).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard fields.count == 5, let inode = UInt(fields[4]), inode > 0,
                let start = UInt(fields[0].prefix { $0 != "-" }, radix: 16)
            else { continue }
            inodes[start] = inode
        }
        return inodes
    }
}
