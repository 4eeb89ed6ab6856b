import CSystem
import Glibc

extension WorkerLimits {
    /// Applies the limits that the system can enforce.
    func apply(to process: pid_t) {
        // Core files from workers are large and never used.
        set(RLIMIT_CORE, 0, for: process)
        // Limits reserved memory, so that a single huge allocation fails. The sanitizers of a host that is being debugged
        // reserve many terabytes.
        if dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil {
            set(RLIMIT_DATA, 2 * memory, for: process)
        }
        set(RLIMIT_NOFILE, descriptors, for: process)
    }

    /// Lowers a hard limit, unless it is already lower, and sets the soft limit to the hard limit.
    private func set(_ resource: __rlimit_resource, _ value: Int, for process: pid_t) {
        let resource = Int32(resource.rawValue)
        var limit = rlimit()
        guard prlimit(process, resource, nil, &limit) == 0 else { return }
        limit.rlim_max = min(limit.rlim_max, rlim_t(value))
        limit.rlim_cur = limit.rlim_max
        // This fails only if the process has exited or runs as another user, which this process cannot start.
        _ = prlimit(process, resource, &limit, nil)
    }
}
