import Glibc

/// Returns the value of an environment variable, or nil if it is unset.
///
/// Foundation's `ProcessInfo` creates a dictionary of all variables on each access, which noticeably slows down short
/// commands.
package func environmentVariable(_ name: String) -> String? {
    // The environment owns the C string, so this copies it.
    getenv(name).map { String(cString: $0) }
}

/// Returns the folder for the host's files of one kind: `viper-host` in the folder that an environment variable names, or
/// in a folder of the home folder. Returns nil if there is no home folder; see
/// https://specifications.freedesktop.org/basedir-spec.
///
/// - Parameters:
///   - variable: The name of the variable. Its value is ignored if it is a relative path, as the specification requires.
///   - standard: The folder in the home folder.
package func userFolder(_ variable: String, orHome standard: String) -> String? {
    let named = environmentVariable(variable).flatMap { isAbsolute($0) ? $0 : nil }
    let base = named ?? environmentVariable("HOME").flatMap { isAbsolute($0) ? "\($0)/\(standard)" : nil }
    return base.map { "\($0)/viper-host" }
}
