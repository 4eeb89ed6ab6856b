import FoundationEssentials

/// Returns the part of a message that names a root. Empty if the root is the working folder.
func place(_ root: String) -> String { root == FileManager.default.currentDirectoryPath ? "" : " in \(root)" }
