import Glibc

/// Returns the value of an environment variable, or nil if it is unset.
///
/// Foundation's `ProcessInfo` creates a dictionary of all variables at each access, which takes a noticeable part of the
/// time of a short command.
package func environmentVariable(_ name: String) -> String? {
    // The text belongs to the environment and is copied here.
    getenv(name).map { String(cString: $0) }
}
