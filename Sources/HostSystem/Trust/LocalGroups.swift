import FoundationEssentials
import Glibc

/// The group members in `/etc/passwd` and `/etc/group`; see passwd(5) and group(5). Name services are not queried,
/// because they may use the network.
struct LocalGroups: Sendable {
    static let ofSystem = LocalGroups(folder: "/etc")

    // The user IDs of the members, keyed by group ID.
    private let members: [gid_t: Set<uid_t>]
    // The IDs of groups with a member whose user ID is unknown.
    private let incomplete: Set<gid_t>

    init(folder: String) {
        func lines(_ name: String) -> [[Substring]] {
            // A missing or unreadable file is treated as empty.
            let content = try? RegularFile(path: "\(folder)/\(name)").read(limit: 64 << 20)
            return String(decoding: content ?? Data(), as: UTF8.self).split(separator: "\n").map { line in
                line.split(separator: ":", omittingEmptySubsequences: false)
            }
        }
        var (members, incomplete) = ([gid_t: Set<uid_t>](), Set<gid_t>())
        var numbers: [Substring: uid_t] = [:]
        for fields in lines("passwd") where fields.count > 3 {
            guard let user = uid_t(fields[2]), let group = gid_t(fields[3]) else { continue }
            numbers[fields[0]] = user
            members[group, default: []].insert(user)
        }
        for fields in lines("group") where fields.count > 3 {
            guard let group = gid_t(fields[2]) else { continue }
            for name in fields[3].split(separator: ",") {
                if let user = numbers[name] {
                    members[group, default: []].insert(user)
                } else {
                    incomplete.insert(group)
                }
            }
        }
        (self.members, self.incomplete) = (members, incomplete)
    }

    /// Returns true if, according to the files, all members of a group are among the given users. Returns false for a
    /// group that has no members in the files, because a name service may provide members.
    func isOnly(_ group: gid_t, _ users: Set<uid_t>) -> Bool {
        guard let members = members[group], !members.isEmpty else { return false }
        return !incomplete.contains(group) && members.isSubset(of: users)
    }
}
