/// The uses between the folders of a target.
struct FolderGraph {
    /// The folders that each folder uses, with the names that it uses.
    private(set) var uses: [String: [String: Set<String>]] = [:]

    /// - Parameters:
    ///   - target: The target's name.
    ///   - files: The files of all targets.
    init(of target: String, _ files: [SourceFile]) {
        let own = files.filter { $0.target == target }
        let places = Self.folders(of: own, \.declared)
        // A member counts if nothing else in Sources has its name.
        let everywhere = Self.folders(of: files, \.allNames) { "\($0.target)/\($0.folder)" }
        let members = Self.folders(of: own, \.members).filter { everywhere[$0.key]?.count == 1 }
        for file in own {
            for name in file.used { add(name, from: file.folder, to: places[name]) }
            for name in file.selected { add(name, from: file.folder, to: members[name]) }
        }
    }

    /// Returns the folders of each name.
    private static func folders(
        of files: [SourceFile], _ names: KeyPath<SourceFile, Set<String>>,
        _ folder: (SourceFile) -> String = { $0.folder }
    ) -> [String: Set<String>] {
        var folders: [String: Set<String>] = [:]
        for file in files { for name in file[keyPath: names] { folders[name, default: []].insert(folder(file)) } }
        return folders
    }

    private mutating func add(_ name: String, from user: String, to folders: Set<String>?) {
        // A name that the folder declares itself is its own.
        guard let folders, !folders.contains(user) else { return }
        for folder in folders { uses[user, default: [:]][folder, default: []].insert(name) }
    }

    /// The folders of a cycle, with the names that each folder uses from the next. Nil if there is no cycle.
    var cycle: String? {
        var finished: Set<String> = []
        func search(_ folder: String, _ path: [String]) -> [String]? {
            if let start = path.firstIndex(of: folder) { return path[start...] + [folder] }
            if finished.contains(folder) { return nil }
            for next in uses[folder, default: [:]].keys.sorted() {
                if let cycle = search(next, path + [folder]) { return cycle }
            }
            finished.insert(folder)
            return nil
        }
        for folder in uses.keys.sorted() {
            guard let cycle = search(folder, []) else { continue }
            return zip(cycle, cycle.dropFirst()).map { user, used in
                let names = uses[user]?[used]?.sorted().prefix(3).joined(separator: ", ") ?? ""
                return "\(user.isEmpty ? "the target's own folder" : user) uses \(used) (\(names))"
            }.joined(separator: "; ")
        }
        return nil
    }
}
