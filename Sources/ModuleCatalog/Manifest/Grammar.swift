/// The format of one kind of string in manifests. `Manifests/module.schema.json` defines the same formats as patterns.
struct Grammar: Sendable {
    /// The maximum length in Unicode scalars.
    var longest: Int
    /// A description of valid strings, which follows "write" in the suggested fix.
    var fix: String
    var accepts: @Sendable (String) -> Bool

    /// Returns true if a string is valid and not too long.
    func allows(_ text: String) -> Bool { text.unicodeScalars.count <= longest && accepts(text) }

    /// The grammar of module and service names: words of lowercase ASCII letters and digits, joined by hyphens. The
    /// first character is a letter.
    static let name = Grammar(
        longest: 64, fix: "lowercase letters, digits and single hyphens, beginning with a letter",
        accepts: isName)

    /// The grammar of route names: one or more names, joined by slashes.
    static let route = Grammar(longest: 128, fix: "a name such as list or people/add") { text in
        text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { isName(String($0)) }
    }

    /// The grammar of routes that a module opens: a route's name, or `*` for any route.
    static let openedRoute = Grammar(longest: 128, fix: "the name of a route, or \"*\" for any route") { text in
        text == "*" || route.accepts(text)
    }

    static let parameter = Grammar(longest: 64, fix: "a name such as olderThan: letters and digits") {
        text in
        isSmallLetter(text.unicodeScalars.first) && text.unicodeScalars.allSatisfy(isAlphanumeric)
    }

    /// The grammar of library names: file names without a path.
    static let library = Grammar(longest: 128, fix: "a plain file name such as libName.so") { text in
        text.hasSuffix(".so") && text != ".so" && isFileName(text[...])
    }

    /// The grammar of folder paths: relative paths that consist of file names.
    static let folder = Grammar(longest: 256, fix: "a folder inside Plugins such as Name/Resources") {
        text in
        text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(isFileName)
    }

    /// The grammar of addresses of pages.
    static let address = Grammar(longest: 1024, fix: "an address such as https://example.com/hello") { text in
        let host = ["http://", "https://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
        return host.map { !$0.isEmpty && $0.unicodeScalars.allSatisfy { "!"..."~" ~= $0 } } ?? false
    }

    static let sdk = Grammar(longest: 16, fix: "the version of ViperKit as MAJOR.MINOR, such as 1.0") {
        text in
        InterfaceVersion(text) != nil
    }

    /// The grammar of versions: semantic versions as defined at https://semver.org/spec/v2.0.0.html.
    static let version = Grammar(
        longest: 64, fix: "a semantic version such as 1.0.0", accepts: isSemanticVersion)

    /// The grammar of summaries: one line of text.
    static let summary = Grammar(longest: 200, fix: "one line of 1 to 200 characters") { text in
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}

func isVersionNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isDigit) && (text == "0" || text.first != "0")
}

private func isSemanticVersion(_ text: String) -> Bool {
    let withBuild = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let withLabel = withBuild[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = withLabel[0].split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers.allSatisfy(isVersionNumber) else { return false }
    let labels = withLabel.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
    let builds = withBuild.dropFirst().flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
    return builds.allSatisfy(isIdentifier)
        && labels.allSatisfy { isIdentifier($0) && (!$0.unicodeScalars.allSatisfy(isDigit) || isVersionNumber($0)) }
}

private func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { isAlphanumeric($0) || $0 == "-" }
}

private func isName(_ text: String) -> Bool {
    isSmallLetter(text.unicodeScalars.first)
        && text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.unicodeScalars.allSatisfy { isSmallLetter($0) || isDigit($0) }
        }
}

private func isFileName(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first, isAlphanumeric(first) else { return false }
    return text.unicodeScalars.allSatisfy { isAlphanumeric($0) || "._+-".unicodeScalars.contains($0) }
}

private func isSmallLetter(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "a"..."z" ~= $0 } ?? false }
private func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
private func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    isSmallLetter(scalar) || "A"..."Z" ~= scalar || isDigit(scalar)
}

extension Manifest {
    /// Returns true if a text can be the name of a module.
    package static func isName(_ text: String) -> Bool { Grammar.name.allows(text) }
}
