import CSystem

/// The users and groups, excluding the owner, that can write to a file according to its access control list; see
/// acl(5).
struct AccessList {
    /// The IDs of the users that can write to the file.
    private(set) var writers: Set<UInt32> = []
    /// The IDs of the groups that can write to the file, excluding the file's own group.
    private(set) var groups: Set<UInt32> = []
    /// True if the list allows the file's own group to write, or if the file has no access control list. The file's
    /// mode still applies.
    private(set) var ownGroupWrites = true

    /// Creates an access list by reading the access control list of an open file.
    ///
    /// - Parameter descriptor: A descriptor for the file. A descriptor that was opened with O_PATH is sufficient.
    init(of descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = getxattr("/proc/self/fd/\(descriptor)", "system.posix_acl_access", &bytes, bytes.count)
        self.init(bytes[..<max(count, 0)])
    }

    /// Creates an access list by parsing an access control list.
    ///
    /// - Parameter bytes: The little-endian attribute in the format of linux/posix_acl_xattr.h. It consists of a 4-byte
    ///   version and of entries with a kind (2 bytes), permissions (2 bytes) and an ID (4 bytes). Empty if the file has
    ///   no list.
    init(_ bytes: ArraySlice<UInt8>) {
        if !bytes.isEmpty { ownGroupWrites = false }
        var rest = bytes.dropFirst(4)
        while rest.count >= 8 {
            let entry = rest.prefix(8).map(UInt32.init)
            rest = rest.dropFirst(8)
            // Skips entries without write permission.
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
