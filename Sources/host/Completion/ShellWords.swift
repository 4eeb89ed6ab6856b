/// The words of an unfinished command line, without the quotation marks and backslashes of the shell. Variables and
/// commands in it are not expanded.
struct ShellWords {
    /// The words. The last word, which may be empty, is unfinished.
    private(set) var words: [String] = []
    /// The quotation mark that is still open at the end.
    private(set) var quote: Unicode.Scalar?

    init(_ line: String) {
        var (word, isBegun, isEscaped) = (String.UnicodeScalarView(), false, false)
        for scalar in line.unicodeScalars {
            if !isEscaped, quote == nil, " \t\n".unicodeScalars.contains(scalar) {
                if isBegun { words.append(String(word)) }
                (word, isBegun) = (String.UnicodeScalarView(), false)
                continue
            }
            isBegun = true
            if isEscaped {
                word.append(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if scalar == quote {
                quote = nil
            } else if quote == nil, scalar == "'" || scalar == "\"" {
                quote = scalar
            } else {
                word.append(scalar)
            }
        }
        words.append(String(word))
    }
}
