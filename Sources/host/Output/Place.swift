import FoundationEssentials

/// Returns the string " in ROOT" for use in a message. Returns an empty string if the root is the working folder.
func place(_ root: String) -> String { root == FileManager.default.currentDirectoryPath ? "" : " in \(root)" }
