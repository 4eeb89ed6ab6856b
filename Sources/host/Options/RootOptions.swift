import HostSystem
import ModuleCatalog
import ViperKit

/// The options that select a root.
struct RootOptions: Sendable {
    /// The absolute path of the root, or nil if `--root` is not given.
    var path: String?
    /// True to use files even if other users could have changed them.
    var trustsPermissions = false
    /// Additional user IDs whose files are trusted.
    var owners: Set<UInt32> = []

    static let all: [Option<RootOptions>] = [
        Option(
            "--root", value: "DIR", summary: "Use this root",
            fallback: "$VIPER_ROOT, or the nearest folder with Manifests"
        ) { options, path throws(ViperError) in options.path = try absolute(path) },
        Option(
            "--trust-permissions", summary: "Use files that other users could have changed, with a warning for each"
        ) { $0.trustsPermissions = true },
    ]

    /// Returns the root at the path. If there is no path, searches for a root.
    func find(
        _ logger: LineLogger = LineLogger(source: "host", minimum: .warning, write: LogOutput.write)
    ) throws(ViperError) -> Root {
        let enforcement: Trust.Enforcement = trustsPermissions ? .warn(DistinctWarnings(logger)) : .refuse
        let environment = environmentVariable("VIPER_ROOT").map { ["VIPER_ROOT": $0] } ?? [:]
        let found = try Root.find(given: path, environment: environment, enforcement, owners: owners)
        for folder in found.passed {
            logger.log(
                .warning, "skipped \(folder): it is a link or belongs to another user; give the root with --root")
        }
        return found
    }
}
