/// Returns a text as one word of a shell's command line, in quotation marks if needed.
func shellQuoted(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(isPlainInShell)
        ? text : "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
}

/// Returns true if a character has no meaning of its own in any shell.
func isPlainInShell(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic || "0"..."9" ~= scalar
        || "/._-+=:,@".unicodeScalars.contains(scalar)
}
