import CSystem
package import FoundationEssentials

extension Data {
    /// True if the UTF-8 bytes of a text are in these.
    package func contains(_ text: String) -> Bool {
        let sought = Array(text.utf8)
        if sought.isEmpty { return true }
        return withUnsafeBytes { bytes in
            // The address is nil only if there are no bytes.
            guard let start = bytes.baseAddress else { return false }
            return memmem(start, bytes.count, sought, sought.count) != nil
        }
    }
}
