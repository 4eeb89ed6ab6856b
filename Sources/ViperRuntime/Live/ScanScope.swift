/// The extent of a rescan. Each case includes all previous cases.
enum ScanScope: Comparable, Hashable {
    /// Handles changed files.
    case changes
    /// Also retries modules that were refused because of their own faults.
    case retries
    /// Also treats missing files as removed immediately.
    case all
}
