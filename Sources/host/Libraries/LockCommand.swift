import Glibc
import HostSystem
import ModuleCatalog
import ModuleRuntime
import ViperKit
import ViperRuntime

/// `host lock`: writes the lock of the root, or updates the entries of modules in it.
struct LockCommand: Command {
    /// The modules whose entries change. Empty to write a new lock.
    var modules: [String] = []
    var host = HostOptions()
    var format = Format.text

    static let name = "lock"
    static let summary = "Let the host load only the libraries that are installed now"
    static let example = "lock --update people"
    static let options =
        [
            Option<Self>(
                "--update", value: "MODULE", summary: "Change only the entry of this module", isRepeatable: true
            ) { $0.modules.append($1) }
        ] + (HostOptions.inRoot + [HostOptions.verbose]).map { $0.at(\.host) } + [Format.option.at(\.format)]
    static let changesFiles = true
    static let details =
        """
        The command writes the version and the SHA-256 of each module's library into Manifests/modules.lock. While this \
        file exists, the host refuses each other library. Remove the file to allow all libraries again. A serving host \
        notices a change of the lock, and tries the libraries that it has refused.
        """

    func output() async throws -> String {
        // No other command installs a library between reading the libraries and writing the lock.
        let (lock, omitted) = try await ModuleVersions(in: try host.root.find()).locked {
            [host, modules] () throws(ViperError) in try host.makeHost().lock(modules)
        }
        for error in omitted {
            try Terminal.write("host: warning: not locked: \(printable(error.summary))\n", to: STDERR_FILENO)
        }
        let changed = lock.modules.filter { modules.isEmpty || modules.contains($0.key) }
        if format == .json { return try renderJSON(lock) }
        var table = TextTable(headings: ["MODULE", "VERSION", "LIBRARY", "SHA-256"])
        for (module, entry) in changed.sorted(by: { $0.key < $1.key }) {
            table.add([module, entry.version, entry.library, entry.sha256.description])
        }
        return Terminal.text(of: table)
    }
}
