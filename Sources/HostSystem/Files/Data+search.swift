import CSystem
package import FoundationEssentials

extension Data {
    package func contains(_ text: String) -> Bool {
        let sought = Array(text.utf8)
        if sought.isEmpty { return true }
        return withUnsafeBytes { bytes in
            // `baseAddress` may be nil if the data is empty.
            guard let start = bytes.baseAddress else { return false }
            return memmem(start, bytes.count, sought, sought.count) != nil
        }
    }
}
