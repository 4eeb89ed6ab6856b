import CSystem
import Glibc
package import ViperKit

/// The rules on who may change the files that the host reads and runs, similar to StrictModes in sshd_config(5).
///
/// A file or folder complies with the rules if a trusted user owns it and no untrusted user can change it. All folders
/// above it must also comply, with two exceptions. A folder that other users can write to is allowed if it is sticky,
/// like `/tmp`, because users cannot rename or remove the entries of other users there. In a user namespace, a folder
/// may belong to a user outside the namespace.
///
/// A symbolic link complies if a trusted user owns it and its target complies.
package struct Trust: Sendable {
    package enum Role: Sendable {
        /// A folder above another file.
        case ancestor
        /// A file or folder that is read, run or written to.
        case object
    }

    /// A response to a path that violates the rules.
    package enum Enforcement: Sendable {
        case refuse
        /// Logs a warning and uses the path. This is the effect of `--trust-permissions`.
        case warn(DistinctWarnings)
        /// Uses the path without any check. The host does this for data folders that the user names.
        case none
    }

    /// The IDs of the trusted users.
    package let owners: Set<UInt32>
    package let enforcement: Enforcement
    /// A further fix that errors about an untrusted owner suggest.
    private enum Advice: Sendable {
        case none
        /// The host searched for the root. It trusts the owner of a root that the user names.
        case nameRoot
        /// The user named a root below this folder, in which another user could have created it.
        case moveRoot(from: String)
    }

    private let advice: Advice

    /// Creates rules that trust this process's user and the system's root user.
    package init(_ enforcement: Enforcement = .refuse) {
        // All users outside the namespace share one ID. This ID is never trusted, even if the user of this process has
        // it.
        let owners = Set([geteuid(), 0]).subtracting(Self.outsider.map { [$0] } ?? [])
        self.init(owners: owners, enforcement, .none)
    }

    private init(owners: Set<uid_t>, _ enforcement: Enforcement, _ advice: Advice) {
        (self.owners, self.enforcement, self.advice) = (owners, enforcement, advice)
    }

    /// The same rules for a root that the host found by searching. Errors explain how to trust the root's owner.
    package var ofSearch: Trust { Trust(owners: owners, enforcement, .nameRoot) }

    /// The rules for files that belong to this process, such as temporary files. These rules do not trust the owner of
    /// a root.
    package var ofProcess: Trust { Trust(enforcement) }

    /// The same rules for a path that the user named. Errors do not suggest to name or move the root.
    package var ofNamed: Trust { Trust(owners: owners, enforcement, .none) }

    /// Returns the same rules with additional trusted users. A worker trusts the users that its host trusts.
    package func trusting(_ users: Set<UInt32>) -> Trust {
        Trust(owners: owners.union(users), enforcement, advice)
    }

    /// The command-line options that pass the rules to a worker.
    package var options: [String] {
        let permissions = if case .refuse = enforcement { [String]() } else { ["--trust-permissions"] }
        return permissions + owners.sorted().flatMap { ["--owner", "\($0)"] }
    }

    /// Returns the same rules, but with a path's owner as an additional trusted user. In a user namespace, all users
    /// outside the namespace have the same ID, which is never trusted.
    package func trusting(ownerOf path: String) -> Trust {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != Self.outsider else { return self }
        return Trust(owners: owners.union([status.st_uid]), enforcement, .none)
    }

    /// Returns the same rules for a root that the user named. The root's owner is an additional trusted user, unless the
    /// root is below a folder such as `/tmp`. There, another user could have created it, for example after `/tmp` was
    /// emptied.
    package func trusting(ownerOfRoot path: String) -> Trust {
        var status = stat()
        // An owner that is trusted anyway needs no further calls.
        guard stat(path, &status) == 0, !owners.contains(status.st_uid) else { return ofNamed }
        do {
            guard let shared = try sharedFolder(above: path) else { return trusting(ownerOf: path) }
            return Trust(owners: owners, enforcement, .moveRoot(from: shared))
        } catch {
            return ofNamed
        }
    }

    /// Checks an open file.
    ///
    /// - Parameters:
    ///   - status: The file's status, read from its descriptor.
    ///   - path: The file's path to show in errors.
    ///   - role: The role of the file at the path.
    ///   - descriptor: A descriptor for the file.
    /// - Throws: A failure with a ``RegularFile/Failure/fix`` if the file violates the rules.
    func check(
        _ status: stat, of path: String, as role: Role, _ descriptor: Int32
    ) throws(RegularFile.Failure) {
        if case .none = enforcement { return }
        if let failure = failure(status, path, role, descriptor) { try enforce(failure) }
    }

    /// Returns true if a trusted user owns the file and its mode lets nobody else write to it.
    func covers(_ status: stat) -> Bool {
        owners.contains(status.st_uid) && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// Checks that other users have no access to a folder.
    ///
    /// - Throws: The same failures as ``check(_:of:as:_:)``.
    package func checkPrivacy(of folder: OpenFolder) throws(RegularFile.Failure) {
        if case .none = enforcement { return }
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0 else { throw RegularFile.Failure(errno: errno) }
        if status.st_mode & 0o077 == 0 { return }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        try enforce(
            .untrusted(
                "other users can access \(folder.path) (owner \(status.st_uid), mode \(mode))",
                fix: "restrict it with chmod 700 \(shellQuoted(folder.path))"))
    }

    /// Throws a failure, or logs it as a warning.
    package func enforce(_ failure: RegularFile.Failure) throws(RegularFile.Failure) {
        guard case .warn(let warnings) = enforcement else { throw failure }
        warnings.add("\(failure.cause); it is used because of --trust-permissions")
    }

    private static func facts(_ status: stat, _ path: String) -> String {
        "\(path) (owner \(status.st_uid), mode \(String(status.st_mode & 0o7777, radix: 8)))"
    }

    private func failure(_ status: stat, _ path: String, _ role: Role, _ descriptor: Int32) -> RegularFile.Failure? {
        let mode = status.st_mode
        if let failure = strangeness(status, path, role) { return failure }
        // Other kinds of files, such as links and devices, have no content that permissions could protect.
        if ![S_IFREG, S_IFDIR].contains(mode & S_IFMT) { return nil }
        // In a sticky folder, users cannot replace the entries of other users.
        if role == .ancestor, mode & S_ISVTX != 0 { return nil }
        return exposure(status, path, descriptor)
    }

    /// Returns a failure if an untrusted user owns a file, folder or link.
    func strangeness(_ status: stat, _ path: String, _ role: Role) -> RegularFile.Failure? {
        let owner = status.st_uid
        if owners.contains(owner) || role == .ancestor && owner == Self.outsider { return nil }
        let trusted = owners.sorted().map(String.init).joined(separator: ", ")
        return .untrusted(
            "user \(owner), who is not trusted, owns \(Self.facts(status, path)); trusted users: \(trusted)",
            fix: "change its owner with chown \(geteuid()) \(shellQuoted(path))\(furtherFix)")
    }

    private var furtherFix: String {
        switch advice {
        case .none: ""
        case .nameRoot: ", or name the root with --root to trust its owner"
        case .moveRoot(let folder):
            ", or move the root out of \(folder), where other users can create folders, to trust its owner"
        }
    }

    /// Returns a failure if untrusted users can write to a file or folder, regardless of its owner.
    func exposure(_ status: stat, _ path: String, _ descriptor: Int32) -> RegularFile.Failure? {
        let mode = status.st_mode
        let facts = Self.facts(status, path)
        if mode & S_IWOTH != 0 {
            return .untrusted("every user can change \(facts)", fix: "restrict it with chmod o-w \(shellQuoted(path))")
        }
        // The group bits also limit what an access control list can grant to users and groups.
        if mode & S_IWGRP == 0 { return nil }
        let access = AccessList(of: descriptor)
        let strangers = access.writers.subtracting(owners)
        if let stranger = strangers.min() {
            return .untrusted(
                "the access control list of \(facts) lets user \(stranger) change it",
                fix: "remove the list with setfacl -b \(shellQuoted(path))")
        }
        let groups = access.groups.union(access.ownGroupWrites ? [status.st_gid] : [])
        // In a user namespace, group IDs differ from the IDs in `/etc/group`.
        let isKnown = Self.outsider == nil
        guard let open = groups.sorted().first(where: { !isKnown || !LocalGroups.ofSystem.isOnly($0, owners) }) else {
            return nil
        }
        return .untrusted(
            "group \(open) can change \(facts), and other users may be members of it",
            fix: "restrict it with chmod g-w \(shellQuoted(path))")
    }

    /// The user ID that represents all users outside this process's user namespace. Nil if the process runs in the
    /// initial user namespace.
    package static let outsider: UInt32? = {
        // The initial namespace maps all IDs to themselves; see user_namespaces(7).
        let map = KernelFile.read("/proc/self/uid_map").map { String(decoding: $0, as: UTF8.self) } ?? ""
        if map.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"] { return nil }
        let number = KernelFile.read("/proc/sys/kernel/overflowuid").map { String(decoding: $0, as: UTF8.self) }
        return number.flatMap { uid_t($0.filter(\.isNumber)) } ?? 65534
    }()
}

/// Returns the path, quoted for the shell if necessary.
package func shellQuoted(_ path: String) -> String {
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
    package static func untrusted(_ cause: String, fix: String) -> Self {
        var failure = Self(cause, errno: EPERM)
        failure.fix = "\(fix); or use it anyway with --trust-permissions"
        return failure
    }

    /// Returns the error for a path that violates the rules of ``Trust``, or nil if the failure has another cause.
    package func refusal(_ what: String, _ subject: String) -> ViperError? {
        fix.map { ViperError(.pathUntrusted, operation: what, subject: subject, cause: cause, fix: $0) }
    }
}
