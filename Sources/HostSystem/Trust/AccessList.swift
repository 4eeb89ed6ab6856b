import CSystem

/// The users and groups that may write to a file by its access control list, besides its owner; see acl(5).
struct AccessList {
    /// Users by their numbers.
    private(set) var writers: Set<UInt32> = []
    /// Groups by their numbers, beside the file's own.
    private(set) var groups: Set<UInt32> = []
    /// True if the file's own group may write, as far as the file's mode lets a group.
    private(set) var ownGroupWrites = true

    /// - Parameter descriptor: Of the file. It may be open for nothing but its path.
    init(of descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = getxattr("/proc/self/fd/\(descriptor)", "system.posix_acl_access", &bytes, bytes.count)
        self.init(bytes[..<max(count, 0)])
    }

    /// - Parameter bytes: As in linux/posix_acl_xattr.h: a version of 4 bytes, then entries of a kind and permissions with 2 bytes each, and a
    ///   number with 4, little-endian. Empty if the file has no list.
    init(_ bytes: ArraySlice<UInt8>) {
        if !bytes.isEmpty { ownGroupWrites = false }
        var rest = bytes.dropFirst(4)
        while rest.count >= 8 {
            let entry = rest.prefix(8).map(UInt32.init)
            rest = rest.dropFirst(8)
            // The bit that allows writing.
            guard entry[2] & 2 != 0 else { continue }
            let number = entry[4] | entry[5] << 8 | entry[6] << 16 | entry[7] << 24
            switch entry[0] {
            case 0x02: writers.insert(number)
            case 0x08: groups.insert(number)
            case 0x04: ownGroupWrites = true
            default: break
            }
        }
    }
}
