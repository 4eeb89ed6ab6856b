import FoundationEssentials
import HostSystem

/// The folders to watch in order to notice every change in a set of folders.
///
/// A plan contains the folders in the set. It also contains every folder in which a changed name or link could affect
/// the path to these folders or to their files. If a folder is missing, the plan contains the nearest existing parent
/// folder.
struct WatchPlan: Equatable {
    /// The folders in which all names are relevant.
    private var whole: Set<String> = []
    /// The relevant names in each watched folder. Each value contains the paths that a change to the name may affect.
    private var names: [String: [String: Set<String>]] = [:]

    /// The folders to watch. They existed when the plan was created.
    var folders: some Sequence<String> { names.keys }

    /// Creates a plan for the current state of the file system. The paths must be absolute.
    init(of folders: [String]) {
        for folder in folders {
            follow(folder, for: folder)
            guard isFolder(folder) else { continue }
            whole.insert(folder)
            names[folder, default: [:]] = names[folder, default: [:]]
            // If the folder cannot be listed, its links are not followed.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !Self.isPassing(name)
            {
                let path = "\(folder)/\(name)"
                if linkTarget(path) != nil { follow(path, for: path) }
            }
        }
    }

    /// Returns the paths that may have changed after a notice about a name.
    func paths(for name: String, in folder: String) -> Set<String> {
        let own: Set<String> = whole.contains(folder) && !Self.isPassing(name) ? ["\(folder)/\(name)"] : []
        return own.union(names[folder]?[name] ?? [])
    }

    /// Returns true if a name is a link or a folder on the path to a watched folder or to one of its files.
    func follows(_ name: String, in folder: String) -> Bool { names[folder]?[name] != nil }

    func paths(dependingOn folder: String) -> Set<String> {
        let own: Set<String> = whole.contains(folder) ? [folder] : []
        return (names[folder] ?? [:]).values.reduce(own) { $0.union($1) }
    }

    /// Returns true for hidden files and for the temporary files of editors and copying programs.
    static func isPassing(_ name: String) -> Bool {
        name.isEmpty || name.hasPrefix(".") || [".swp", ".tmp", "~"].contains { name.hasSuffix($0) }
    }

    /// Adds all symbolic links on a path, and the path's target.
    private mutating func follow(_ path: String, for reported: String) {
        var (reached, rest, links) = ("", pathNames(path).reversed() as [String], 0)
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                // The part of the path up to here contains no links, so its parent is the text before the last slash.
                reached = Self.parent(of: reached).folder
                continue
            }
            let next = "\(reached)/\(part)"
            guard let target = linkTarget(next) else {
                reached = next
                continue
            }
            add(next, for: reported)
            links += 1
            // This is the kernel's limit. A path with more links is treated as a cycle.
            if links > 40 { return }
            if isAbsolute(target) { reached = "" }
            rest += pathNames(target).reversed()
        }
        add(reached, for: reported)
    }

    private mutating func add(_ path: String, for reported: String) {
        if path.isEmpty { return }
        let (folder, name) = Self.parent(of: path)
        if isFolder(folder.isEmpty ? "/" : folder) {
            names[folder.isEmpty ? "/" : folder, default: [:]][name, default: []].insert(reported)
        } else {
            add(folder, for: reported)
        }
    }

    /// Splits a path into its folder and its last name. The folder of a top-level name is empty.
    private static func parent(of path: String) -> (folder: String, name: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return (String(path[..<slash]), String(Substring(path.utf8[slash...].dropFirst())))
    }
}
