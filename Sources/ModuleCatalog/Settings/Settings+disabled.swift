import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

extension Settings {
    /// The name of the file that becomes `host.json` by a rename.
    static let newName = ".host.json.new"

    /// Enables or disables a module in the root's `host.json`, by one rename. The rest of the file keeps its form. Call this
    /// method only while no other process changes the file.
    ///
    /// - Returns: False if the file already says so. It then does not change.
    /// - Throws: ``ViperError/Code/settingInvalid`` if the file is invalid, or if its form does not allow the change.
    ///   ``ViperError/Code/storeFailed``.
    package static func set(_ module: String, isDisabled: Bool, in root: Root) throws(ViperError) -> Bool {
        // Checks who can change the file.
        _ = try Settings(reading: root)
        let path = resolved("\(root.path)/host.json") ?? "\(root.path)/host.json"
        let identity = FileIdentity(of: path)
        let text: [UInt8]
        var permissions: UInt32 = 0o644
        do {
            let file = try RegularFile(path: path)
            (text, permissions) = ([UInt8](try file.read(limit: 1 << 20)), file.permissions & 0o755)
        } catch {
            guard error.isMissing else {
                throw ViperError(.settingInvalid, operation: "cannot change", subject: "host.json", cause: error.cause)
            }
            text = []
        }
        // Of the text that is changed below, because an editor may have replaced the file since the check.
        var names = text.isEmpty ? [] : Set(try SettingsFile(Data(text)).disabled)
        guard isDisabled ? names.insert(module).inserted : names.remove(module) != nil else { return false }
        let list = try names.sorted().map { name throws(ViperError) in
            String(decoding: try FoundationJSONCoder().encode(name), as: UTF8.self)
        }.joined(separator: ", ")
        let changed = Self.text(text, setting: "disabled", to: names.isEmpty ? nil : "[\(list)]")
        // A key with escapes, for example, is another text for the same key.
        guard (try? SettingsFile(Data(changed)))?.disabled.sorted() == names.sorted() else {
            throw ViperError(
                .settingInvalid, operation: "cannot change", subject: "host.json",
                cause: "its form does not allow to replace only the list \"disabled\"",
                fix: "change \"disabled\" in an editor")
        }
        // The caller holds a lock, so only a killed command leaves this file behind.
        let new = "\(parentFolder(of: path))/\(Self.newName)"
        try writeSynced(changed, to: new, permissions: permissions)
        // An editor takes no lock.
        guard FileIdentity(of: path) == identity else {
            unlink(new)
            throw ViperError(
                .settingInvalid, operation: "cannot change", subject: "host.json",
                cause: "another program has changed it at the same moment", fix: "retry")
        }
        guard rename(new, path) == 0 else {
            let failure = storeFailure("cannot replace file", path)
            unlink(new)
            throw failure
        }
        try syncFolder(parentFolder(of: path))
        return true
    }

    /// Returns the text of a JSON object with another value of a key.
    ///
    /// - Parameters:
    ///   - bytes: The text. Empty for an object without keys.
    ///   - value: The value as a JSON text. Nil to remove the key.
    static func text(_ bytes: [UInt8], setting key: String, to value: String?) -> [UInt8] {
        let members = jsonElementRanges(bytes)
        let own = members.firstIndex { bytes[$0].starts(with: "\"\(key)\"".utf8) }
        let member = value.map { Array("\"\(key)\": \($0)".utf8) }
        if let own, let member { return bytes[..<members[own].lowerBound] + member + bytes[members[own].upperBound...] }
        if let own {
            // The comma is before the member, or behind it if the member is the first one.
            let start = own == 0 ? members[own].lowerBound : members[own - 1].upperBound
            let end = own == 0 && members.count > 1 ? members[1].lowerBound : members[own].upperBound
            return Array(bytes[..<start] + bytes[end...])
        }
        guard let member else { return bytes }
        guard let last = members.last else { return Array("{\n  ".utf8) + member + Array("\n}\n".utf8) }
        return bytes[..<last.upperBound] + Array(",\n  ".utf8) + member + bytes[last.upperBound...]
    }
}
