import HostSystem
import ModuleRuntime
import ViperKit

extension ViperHost {
    /// Returns notes that name the module whose call has exceeded its time limit, logs the call, and counts it as failed.
    ///
    /// The module is the one whose call has been running longest, or that still runs an earlier overdue call. This method
    /// never blocks, so it works while a module blocks the main actor.
    func explainOverdueCall(after limit: Duration) -> [ViperError.Note] {
        let modules = registry.snapshot.modules
        let calls = modules.compactMap { module in module.history.calls.oldest.map { (module, begin: $0) } }
        if let (module, _) = calls.min(by: { $0.begin < $1.begin }) {
            module.history.calls.failOldest()
            logger.log(.warning, "a call to module \(module.name) took longer than \(limit.inSeconds)")
            return [.init("module", module.name)]
        }
        return modules.filter { $0.history.runningCalls > 0 || $0.history.isStarting }.prefix(10).map {
            .init("module", $0.name)
        }
    }
}
