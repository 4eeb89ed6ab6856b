import FoundationEssentials
import HostSystem

/// The maximum size of a source file or template file in bytes.
let sourceLimit = 16 << 20

/// Returns the text of a source file. Returns nil if it is not a readable regular file of UTF-8 text, or is too large. A
/// named pipe or a device does not make the command wait.
func sourceText(_ path: String) -> String? {
    do throws(RegularFile.Failure) {
        return String(validating: try RegularFile(path: path).read(limit: sourceLimit), as: UTF8.self)
    } catch {
        return nil
    }
}
