import FoundationEssentials
import ViperKit

/// Finds a module's library: in the root's `Plugins/`, then beside the host's executable.
struct LibraryFinder: Sendable {
    let root: Root
    let logger: LineLogger

    /// More than any module needs; a larger file is refused unread.
    static let limit = 512 << 20

    /// The library's content.
    ///
    /// The file is read once, here: what is checked is what is loaded, whatever happens to the file meanwhile.
    func read(_ library: String) throws(ViperError) -> Data {
        let dropped = try read(library, in: root.plugins)
        let bundled = try read(library, in: root.executableFolder)
        guard let first = dropped ?? bundled else {
            throw missing(library)
        }
        if let dropped, let bundled, dropped != bundled {
            let message = "\(library) in \(root.plugins) differs from the one in \(root.executableFolder)"
            logger.log(.warning, "\(message); the first is used")
        }
        return first
    }

    private func missing(_ library: String) -> ViperError {
        let looked = [root.plugins, root.executableFolder]
        // A folder that cannot be listed has nothing to suggest.
        let there = looked.flatMap { (try? fileNames(in: $0, ending: ".so")) ?? [] }
        let near = nearestNames(to: library, in: Set(there)).first
        let name = near.map { "write \"library\": \"\($0)\" in the manifest, " } ?? ""
        return ViperError(
            .libraryMissing, "cannot load library", library, cause: "there is no such file",
            notes: looked.map { .init("looked in", $0) } + (near.map { [.init("did you mean", $0)] } ?? []),
            mend: "\(name)\(near == nil ? "" : "or ")copy it to Plugins, or build it with swift build or host build")
    }

    private func read(_ library: String, in folder: String) throws(ViperError) -> Data? {
        do {
            return try RegularFile(path: "\(folder)/\(library)").read(limit: Self.limit)
        } catch {
            if error.isMissing { return nil }
            throw ViperError(
                isShortage(error.errno) ? .resourceMissing : .libraryInvalid, "cannot load library", library,
                cause: error.cause, notes: [.init("folder", folder)])
        }
    }
}
