import CSystem
import Glibc

extension Trust {
    /// The maximum number of symbolic links on one path, which is the kernel's limit; see path_resolution(7).
    private static let longestChain = 40

    /// Opens a path one component at a time. Checks the descriptor of each component before opening the next component
    /// relative to it.
    ///
    /// - Parameters:
    ///   - path: A path relative to `folder`, or an absolute path.
    ///   - folder: A folder that complies with the rules. Nil if the path is absolute.
    ///   - flags: The flags for open(2).
    ///   - role: The role of the file at the path.
    /// - Returns: A descriptor, which the caller must close.
    package func open(
        _ path: String, in folder: OpenFolder? = nil, flags: Int32, as role: Role = .object
    ) throws(RegularFile.Failure) -> Int32 {
        let flags = flags | O_CLOEXEC
        if case .none = enforcement {
            let descriptor = folder.map { openat($0.descriptor, path, flags) } ?? Glibc.open(path, flags)
            if descriptor < 0 { throw RegularFile.Failure(errno: errno) }
            return descriptor
        }
        let last = try walk(path, in: folder, as: role) { status, path, role, descriptor throws(RegularFile.Failure) in
            try check(status, of: path, as: role, descriptor)
        }
        return try last.reopened(flags)
    }

    /// Opens a file that the user names, and finds who else can change it. A file that another user owns may comply.
    ///
    /// - Returns: A descriptor, which the caller must close, and a failure if other users than the owner can write to the
    ///   file or to a folder above it, or own a folder or link on its path.
    func openNamed(_ path: String, flags: Int32) throws(RegularFile.Failure) -> (
        descriptor: Int32, exposure: RegularFile.Failure?
    ) {
        var exposure: RegularFile.Failure?
        var strangers: [(user: uid_t, failure: RegularFile.Failure)] = []
        let last = try walk(path, in: nil, as: .object) { status, path, role, descriptor throws(RegularFile.Failure) in
            // The owner of a folder or link chooses the file.
            if role == .ancestor || status.st_mode & S_IFMT == S_IFLNK,
                let failure = strangeness(status, path, .ancestor)
            {
                strangers.append((status.st_uid, failure))
            }
            // Other kinds of files have no content, and users cannot replace the entries of others in a sticky folder.
            guard exposure == nil, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT),
                role == .object || status.st_mode & S_ISVTX == 0
            else { return }
            exposure = self.exposure(status, path, descriptor)
        }
        // The user learns who owns the file.
        let owner = last.status.st_uid
        return (
            try last.reopened(flags | O_CLOEXEC), exposure ?? strangers.first { $0.user != owner }?.failure
        )
    }

    /// Returns the first folder above a path that is sticky and that untrusted users can write to, such as `/tmp`.
    /// Returns nil if there is none.
    func sharedFolder(above path: String) throws(RegularFile.Failure) -> String? {
        var shared: String?
        _ = try walk(path, in: nil, as: .object) { status, path, role, descriptor throws(RegularFile.Failure) in
            let isSticky = role == .ancestor && status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
            if shared == nil, isSticky, exposure(status, path, descriptor) != nil { shared = path }
        }
        return shared
    }

    /// Follows a path one component at a time, and passes each folder, file and symbolic link on it to a closure before
    /// the next step.
    ///
    /// - Returns: The last step.
    private func walk(
        _ path: String, in folder: OpenFolder?, as role: Role,
        _ visit: (stat, String, Role, Int32) throws(RegularFile.Failure) -> Void
    ) throws(RegularFile.Failure) -> Step {
        var step: Step
        if let folder { step = try Step(folder) } else { step = try Step.top() }
        var parts = Self.parts(path)
        var links = 0
        if parts.isEmpty { try visit(step.status, step.path, role, step.descriptor) }
        while let name = parts.popLast() {
            let next = try step.next(name)
            if next.isLink {
                try visit(next.status, next.path, parts.isEmpty ? .object : .ancestor, next.descriptor)
                links += 1
                if links > Self.longestChain { throw RegularFile.Failure(errno: ELOOP) }
                let target = try next.target()
                parts += Self.parts(target)
                if isAbsolute(target) { step = try Step.top() }
                // The link leads to `/` or to the folder that contains it, so no further step visits that folder.
                if parts.isEmpty { try visit(step.status, step.path, role, step.descriptor) }
                continue
            }
            try visit(next.status, next.path, parts.isEmpty ? role : .ancestor, next.descriptor)
            step = next
        }
        return step
    }

    /// Returns the components of a path in reverse order.
    private static func parts(_ path: String) -> [String] {
        pathNames(path).reversed().filter { $0 != "." }
    }
}

/// The file that the path has reached so far. Its descriptor is opened with O_PATH, so it cannot be used to read the
/// file; see open(2).
private struct Step: ~Copyable {
    let path: String
    let descriptor: Int32
    let status: stat

    static func top() throws(RegularFile.Failure) -> Step { try Step("/", Glibc.open("/", open_as_path | O_CLOEXEC)) }

    init(_ folder: OpenFolder) throws(RegularFile.Failure) {
        try self.init(folder.path, fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 0))
    }

    private init(_ path: String, _ descriptor: Int32) throws(RegularFile.Failure) {
        guard descriptor >= 0 else { throw RegularFile.Failure(errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw RegularFile.Failure(errno: number)
        }
        (self.path, self.descriptor, self.status) = (path, descriptor, status)
    }

    deinit { close(descriptor) }

    var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }

    /// Opens an entry of this folder. Does not follow a symbolic link.
    func next(_ name: String) throws(RegularFile.Failure) -> Step {
        let place = name == ".." ? parentFolder(of: path) : path == "/" ? "/\(name)" : "\(path)/\(name)"
        return try Step(place, openat(descriptor, name, open_as_path | O_NOFOLLOW | O_CLOEXEC))
    }

    func target() throws(RegularFile.Failure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(descriptor, "", &buffer, buffer.count)
        guard count > 0 else { throw RegularFile.Failure(errno: errno) }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// Opens the file with the given flags. Uses the descriptor's path in `/proc`, which leads to the same file even if
    /// another file has replaced it at its original path.
    func reopened(_ flags: Int32) throws(RegularFile.Failure) -> Int32 {
        let opened = Glibc.open("/proc/self/fd/\(descriptor)", flags)
        if opened < 0 { throw RegularFile.Failure(errno: errno) }
        return opened
    }
}
