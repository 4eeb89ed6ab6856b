import Glibc

/// Returns the value of an environment variable, or nil if it is unset.
///
/// Foundation's `ProcessInfo` creates a dictionary of all variables on each access, which noticeably slows down short
/// commands.
package func environmentVariable(_ name: String) -> String? {
    // The environment owns the C string, so this copies it.
    getenv(name).map { String(cString: $0) }
}
