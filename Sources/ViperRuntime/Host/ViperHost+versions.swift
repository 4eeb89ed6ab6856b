import HostSystem
import ModuleCatalog
import Synchronization
import ViperKit

/// The earlier versions of all modules, as of the latest read.
struct KnownVersions {
    /// The earlier versions, the latest first, keyed by the module's name.
    private(set) var all: [String: [EarlierVersion]] = [:]
    private var begun = 0
    private var shown = 0

    /// Begins a read, and returns its number.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Ends a read, unless a newer one has ended before.
    mutating func end(_ number: Int, _ all: [String: [EarlierVersion]]) {
        if number > shown { (shown, self.all) = (number, all) }
    }
}

extension ViperHost {
    /// Reads the earlier versions of all modules, for ``ModuleListing``. This method blocks.
    package func readVersions() {
        let number = knownVersions.withLock { $0.begin() }
        let versions = ModuleVersions(in: root)
        do throws(ViperError) {
            let all = try versions.all().map { version in
                (
                    version.manifest.name,
                    EarlierVersion(
                        version: version.manifest.version,
                        isQuarantined: quarantine.report(ofLibrary: version.path) != nil ? true : nil,
                        hasEndedHosts: version.hasEndedHosts ? true : nil)
                )
            }
            let byName = Dictionary(grouping: all) { $0.0 }.mapValues { $0.map { $0.1 } }
            knownVersions.withLock { $0.end(number, byName) }
        } catch { logger.log(versions.areHidden ? .debug : .warning, error.summary) }
    }

    /// Reads the earlier versions of all modules after a change, for ``ModuleListing``.
    func updateVersions() async { await BlockingWork.run { self.readVersions() } }
}
