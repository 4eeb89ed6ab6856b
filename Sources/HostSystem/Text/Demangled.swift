import CSystem
import Glibc

/// Returns the Swift declaration of a mangled name, or the name itself if it cannot be demangled.
package func demangled(_ name: String) -> String {
    guard let text = swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
    defer { free(text) }
    return String(cString: text)
}
