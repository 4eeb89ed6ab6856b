import FoundationEssentials
import HostSystem

/// Which folders to watch, so that no change of what some folders hold is missed.
///
/// Those are the folders themselves, and the folder of each name that leads to them or, over symbolic links, to what is in them.
/// Of a folder that is not there, the nearest one above it that is: there it will appear.
struct WatchPlan: Equatable {
    /// The folders whose every name matters.
    private var whole: Set<String> = []
    /// The names that matter in each folder that is to be watched, with the paths that then may have changed.
    private var names: [String: [String: Set<String>]] = [:]

    /// The folders to watch. They were there a moment ago.
    var folders: some Sequence<String> { names.keys }

    /// What is to be watched for these folders, as everything is now. Their paths are absolute.
    init(of folders: [String]) {
        for folder in folders {
            follow(folder, for: folder)
            guard isFolder(folder) else { continue }
            whole.insert(folder)
            names[folder, default: [:]] = names[folder, default: [:]]
            // One that cannot be listed has no links that anybody could follow.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !Self.isPassing(name)
            {
                let path = "\(folder)/\(name)"
                if linkTarget(path) != nil { follow(path, for: path) }
            }
        }
    }

    /// The paths that may have changed when something has happened to this name.
    func paths(for name: String, in folder: String) -> Set<String> {
        let own: Set<String> = whole.contains(folder) && !Self.isPassing(name) ? ["\(folder)/\(name)"] : []
        return own.union(names[folder]?[name] ?? [])
    }

    /// The paths that depend on a folder.
    func paths(dependingOn folder: String) -> Set<String> {
        let own: Set<String> = whole.contains(folder) ? [folder] : []
        return (names[folder] ?? [:]).values.reduce(own) { $0.union($1) }
    }

    /// Whether a name is one that editors and copying programs use until the real one takes its place.
    static func isPassing(_ name: String) -> Bool {
        name.isEmpty || name.hasPrefix(".") || [".swp", ".tmp", "~"].contains { name.hasSuffix($0) }
    }

    /// Takes up every symbolic link on a path, and what the path finally leads to.
    private mutating func follow(_ path: String, for reported: String) {
        var (reached, rest, links) = ("", path.split(separator: "/").reversed() as [Substring], 0)
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                // What was reached has no links in it, so that its text says where it is.
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
            // As many as the kernel follows; more are a circle.
            if links > 40 { return }
            if target.hasPrefix("/") { reached = "" }
            rest += target.split(separator: "/").reversed()
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

    /// The folder is empty for what is in the topmost one.
    private static func parent(of path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return (String(path[..<slash]), String(path[slash...].dropFirst()))
    }
}
