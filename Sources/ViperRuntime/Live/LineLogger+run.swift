import HostSystem
import ModuleRuntime
import ViperKit

extension LineLogger {
    /// Logs a new state of a module's work.
    func log(_ state: ModuleRun.State, of module: String) {
        switch state {
        case .running: break
        case .restarting(let error, let pause):
            log(.warning, "module \(module) is restarted in \(pause.inSeconds): \(error.summary)")
        case .finished: log(.info, "module \(module) has finished its work")
        case .failed(let error):
            log(
                .error,
                "module \(module) has failed \(ModuleRun.limit) times in a row and is not run again: "
                    + error.summary)
        }
    }
}
