/// The extent of a rescan. Each case includes the ones before it.
enum ScanScope: Comparable, Hashable {
    /// Handles changed files.
    case changes
    /// Also retries modules that were refused for a fault of their own.
    case retries
    /// Also treats missing files as removed immediately.
    case all
}
