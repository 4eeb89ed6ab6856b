import CSystem
import Glibc

extension WorkerLimits {
    /// Has the system hold a process to them, as far as it can.
    func apply(to process: pid_t) {
        // A core of a gigabyte helps nobody.
        set(RLIMIT_CORE, 0, for: process)
        // Memory that was asked for, in use or not: what an attempt to take all of it at once fails at.
        set(RLIMIT_DATA, 2 * memory, for: process)
        set(RLIMIT_NOFILE, descriptors, for: process)
    }

    /// Lowers a limit. One that is lower already stays.
    private func set(_ resource: __rlimit_resource, _ value: Int, for process: pid_t) {
        let resource = Int32(resource.rawValue)
        var limit = rlimit()
        guard prlimit(process, resource, nil, &limit) == 0 else { return }
        limit.rlim_max = min(limit.rlim_max, rlim_t(value))
        limit.rlim_cur = limit.rlim_max
        // It fails only for a process that has ended, or that runs as another user, which this one cannot start.
        _ = prlimit(process, resource, &limit, nil)
    }
}
