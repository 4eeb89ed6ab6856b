/// The extent of a rescan. Each case includes all previous cases.
enum ScanScope: Comparable, Hashable {
    /// The rescan handles changed files.
    case changes
    /// The rescan also retries modules that were refused because of their own faults.
    case retries
    /// The rescan also treats missing files as removed immediately.
    case all
}
