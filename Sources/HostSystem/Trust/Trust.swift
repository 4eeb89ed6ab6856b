import CSystem
import Glibc
import Synchronization
package import ViperKit

/// The rule on who may change what the host reads and runs, after StrictModes in sshd_config(5).
///
/// A file or folder passes if a trusted user owns it and nobody else can change it. The folders above it have to pass, too; of those, one that
/// everybody may write passes if it is sticky, as `/tmp` is: there, others can neither rename nor remove what is not theirs. A symbolic
/// link passes if a trusted user owns it; its target then has to pass as well.
package struct Trust: Sendable {
    /// What a path is used for.
    package enum Role: Sendable {
        /// A folder on the way to something.
        case ancestor
        /// What is read, run or written to.
        case object
    }

    /// What happens with a path that breaks the rule.
    package enum Enforcement: Sendable {
        /// It is refused.
        case refuse
        /// It is used, with a warning: `--trust-permissions`.
        case warn(TrustWarnings)
        /// It is used: a folder that somebody has named for its data.
        case none
    }

    /// The users whose files pass.
    package let owners: Set<UInt32>
    let enforcement: Enforcement
    /// True if the owner of a root that is named would be trusted, too.
    private let isOfSearch: Bool

    /// Trusts the user of this process and root.
    package init(_ enforcement: Enforcement = .refuse) {
        // Of the users that look like one, this process may be any.
        let owners = Set([geteuid(), 0]).subtracting(Self.outsider.map { [$0] } ?? [])
        self.init(owners: owners, enforcement, isOfSearch: false)
    }

    private init(owners: Set<uid_t>, _ enforcement: Enforcement, isOfSearch: Bool) {
        (self.owners, self.enforcement, self.isOfSearch) = (owners, enforcement, isOfSearch)
    }

    /// The rule for a root that was searched for: its refusals tell how to trust the root's owner.
    package var ofSearch: Trust { Trust(owners: owners, enforcement, isOfSearch: true) }

    /// The rule for what belongs to this process, as its temporary files do: the owner of a root has no say there.
    package var ofProcess: Trust { Trust(enforcement) }

    /// The rule without the advice for a root that was searched for.
    package var ofNamed: Trust { Trust(owners: owners, enforcement, isOfSearch: false) }

    /// The rule that also trusts these users: a worker trusts those of its host.
    package func trusting(_ users: Set<UInt32>) -> Trust {
        Trust(owners: owners.union(users), enforcement, isOfSearch: isOfSearch)
    }

    /// The options of the host's command line by which a worker has the same rule.
    package var options: [String] {
        let permissions = if case .refuse = enforcement { [String]() } else { ["--trust-permissions"] }
        return permissions + owners.sorted().flatMap { ["--owner", "\($0)"] }
    }

    /// The rule that also trusts the owner of a path. In a user namespace, users from outside of it look like one user, who is never trusted.
    package func trusting(ownerOf path: String) -> Trust {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != Self.outsider else { return self }
        return Trust(owners: owners.union([status.st_uid]), enforcement, isOfSearch: false)
    }

    /// Checks what is at a path.
    ///
    /// - Parameters:
    ///   - status: Its status, from a descriptor that is open.
    ///   - descriptor: That descriptor.
    /// - Throws: A failure with a ``RegularFile/Failure/fix``.
    func check(
        _ status: stat, of path: String, as role: Role, _ descriptor: Int32
    ) throws(RegularFile.Failure) {
        if case .none = enforcement { return }
        if let failure = failure(status, path, role, descriptor) { try enforce(failure) }
    }

    /// Checks that no other user can look into a folder.
    ///
    /// - Throws: As ``check(_:of:as:_:)``.
    package func checkPrivacy(of folder: OpenFolder) throws(RegularFile.Failure) {
        if case .none = enforcement { return }
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0 else { throw RegularFile.Failure(errno: errno) }
        if status.st_mode & 0o077 == 0 { return }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        try enforce(
            .untrusted(
                "others can look into \(folder.path) (owner \(status.st_uid), mode \(mode))",
                fix: "close it with chmod 700 \(quoted(folder.path))"))
    }

    private func enforce(_ failure: RegularFile.Failure) throws(RegularFile.Failure) {
        guard case .warn(let warnings) = enforcement else { throw failure }
        warnings.tell(failure)
    }

    private func failure(_ status: stat, _ path: String, _ role: Role, _ descriptor: Int32) -> RegularFile.Failure? {
        let (mode, owner) = (status.st_mode, status.st_uid)
        let facts = "\(path) (owner \(owner), mode \(String(mode & 0o7777, radix: 8)))"
        if !owners.contains(owner), role != .ancestor || owner != Self.outsider {
            let trusted = owners.sorted().map(String.init).joined(separator: ", ")
            return .untrusted(
                "user \(owner), who is not trusted, owns \(facts); trusted users: \(trusted)",
                fix: "make it yours with chown \(geteuid()) \(quoted(path))"
                    + (isOfSearch ? ", or name the root with --root to trust its owner" : ""))
        }
        // Other kinds, as links and devices, have no content that their permissions could protect.
        if ![S_IFREG, S_IFDIR].contains(mode & S_IFMT) { return nil }
        // In a sticky folder nobody can take the place of what is not theirs.
        if role == .ancestor, mode & S_ISVTX != 0 { return nil }
        if mode & S_IWOTH != 0 {
            return .untrusted("every user can change \(facts)", fix: "close it with chmod o-w \(quoted(path))")
        }
        // With an access control list, the bits of the group are the most that any entry of it gives.
        if mode & S_IWGRP == 0 { return nil }
        let access = AccessList(of: descriptor)
        let strangers = access.writers.subtracting(owners)
        if let stranger = strangers.min() {
            return .untrusted(
                "the access control list of \(facts) lets user \(stranger) change it",
                fix: "remove the list with setfacl -b \(quoted(path))")
        }
        let groups = access.groups.union(access.ownGroupWrites ? [status.st_gid] : [])
        // In a user namespace, groups have other numbers than in the files that tell their members.
        let isKnown = Self.outsider == nil
        guard let open = groups.sorted().first(where: { !isKnown || !LocalGroups.ofSystem.isOnly($0, owners) }) else {
            return nil
        }
        return .untrusted(
            "group \(open) can change \(facts), and others may be in that group",
            fix: "close it with chmod g-w \(quoted(path))")
    }

    /// The number that users from outside this process's user namespace have in it. Nil if the process is in no user namespace of its own.
    static let outsider: uid_t? = {
        // The first namespace maps all numbers to themselves; see user_namespaces(7).
        let map = KernelFile.read("/proc/self/uid_map").map { String(decoding: $0, as: UTF8.self) } ?? ""
        if map.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"] { return nil }
        let number = KernelFile.read("/proc/sys/kernel/overflowuid").map { String(decoding: $0, as: UTF8.self) }
        return number.flatMap { uid_t($0.filter(\.isNumber)) } ?? 65534
    }()
}

/// Logs paths that break the rule and are used all the same: each path once in a process.
package final class TrustWarnings: Sendable {
    private let logger: LineLogger
    private let told = Mutex<Set<String>>([])

    package init(_ logger: LineLogger) { self.logger = logger }

    func tell(_ failure: RegularFile.Failure) {
        if !told.withLock({ $0.insert(failure.cause).inserted }) { return }
        logger.log(.warning, "\(failure.cause); it is used because of --trust-permissions")
    }
}

/// A path as a word of a shell's command.
private func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/._-+,:@".utf8.contains(byte)
        }
    }
    return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
}

extension RegularFile.Failure {
    /// A path breaks the rule of ``Trust``.
    static func untrusted(_ cause: String, fix: String) -> Self {
        var failure = Self(cause, errno: EPERM)
        failure.fix = "\(fix); --trust-permissions uses it all the same"
        return failure
    }

    /// The error of a path that breaks the rule. Nil if the failure has another reason.
    package func refusal(_ what: String, _ subject: String) -> ViperError? {
        fix.map { ViperError(.pathUntrusted, what, subject, cause: cause, mend: $0) }
    }
}
