import FoundationEssentials

/// How a message says in which root something was done, where that is not the folder that a person is in.
func place(_ root: String) -> String { root == FileManager.default.currentDirectoryPath ? "" : " in \(root)" }
