import ModuleCatalog
import ModuleRuntime
import ViperKit

/// The actions of a single rescan: the modules to add, replace, check and retry.
struct RescanPlan {
    /// The modules to register: new modules, and refused or retired modules whose files have changed.
    private(set) var arrivals: [CatalogEntry] = []
    /// The modules to replace with a newer version. A module with a generation is replaced only if that version works.
    private(set) var replacements: [CatalogEntry] = []
    /// The modules to check because an earlier rescan could not check them. These modules have no generation, and their
    /// files are unchanged.
    private(set) var checks: [CatalogEntry] = []
    /// The refused modules to retry with the same files.
    private(set) var retries: [CatalogEntry] = []
    /// True if a file has changed since the previous rescan.
    private(set) var hasChangedFiles = false

    /// Creates a plan by comparing a scan with the previous rescan and the registry.
    ///
    /// - Parameters:
    ///   - before: The versions of the files in the previous rescan.
    ///   - postponed: The manifest files that an earlier rescan could not process for reasons outside their modules.
    init(
        _ scan: RootScan, since before: [String: FileVersion], in snapshot: RegistrySnapshot, _ scope: ScanScope,
        postponed: Set<String>
    ) {
        for entry in scan.catalog.entries {
            let isRead = scan.modules?.contains(entry.file) ?? true
            let hasChanged = isRead && scan.versions[entry.file] != before[entry.file]
            if hasChanged { hasChangedFiles = true }
            let record = snapshot.module(from: entry.file)
            switch record?.state {
            case .resolved, .active, .discovered:
                let isDue =
                    record?.fileRejection.map { $0.dependsOnOtherModules || $0.isUnfinished || scope >= .retries }
                    ?? false
                guard hasChanged || isDue || postponed.contains(entry.file) else { continue }
                // The registry still has the previous version of a module whose newer version was rejected, unless the
                // newer version only waits for the writer of its library.
                let isRejected = record?.fileRejection.map { !$0.isUnfinished } ?? false
                if hasChanged || isRejected || record?.generation != nil {
                    replacements.append(entry)
                } else {
                    checks.append(entry)
                }
            // A refused module without a fault only lacks a provider, so the resolution handles it.
            case .refused, .retired, nil:
                if hasChanged || record == nil {
                    arrivals.append(entry)
                } else if scope >= .retries, record?.fault != nil {
                    retries.append(entry)
                }
            }
        }
    }
}
