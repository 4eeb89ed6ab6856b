import Foundation

/// Code that runs while a `Mutex` is held, as found by a text search: the argument of a call of `withLock`.
struct LockedCode: CustomStringConvertible {
    let file: String
    let line: Int
    /// The code without comments, strings and closures that run later.
    let code: String
    /// The name by which the code knows what the lock protects. Nil for `$0`.
    let parameter: String?
    /// The comments of the whole file. They name the order of nested locks.
    private let hasLockOrder: Bool
    /// The names of the file's parameters and properties that are closures.
    private let closures: Set<String>

    var description: String { "\(file):\(line)" }

    /// Returns the locked code of a file.
    static func all(in file: String, _ text: String) -> [LockedCode] {
        let code = String(decoding: SourceCode(text).bytes, as: UTF8.self)
        let closures = Set(code.matches(of: closureDeclaration).map { String($0.1) })
        return code.ranges(of: "withLock").compactMap { call in
            guard let body = argument(in: code[call.upperBound...]) else { return nil }
            let now = withoutLater(body)
            let parameter = now.firstMatch(
                of: /^[({]+\s*(?:\[\w+\] )?(\w+)(?: (?:throws\(\w+\) )?-> [^{}\n]+?| throws\(\w+\))? in[ \n]/)
            return LockedCode(
                file: file, line: code[..<call.lowerBound].count { $0 == "\n" } + 1, code: now,
                parameter: parameter.map { String($0.1) }, hasLockOrder: text.contains("Lock order:"),
                closures: closures)
        }
    }

    /// Returns what the code calls and must not call.
    ///
    /// - Parameters:
    ///   - leaves: The names of calls that are allowed.
    ///   - nested: Those that take another lock. Their file names the order.
    ///   - locking: The names of properties that take a lock, and of classes, whose initializers do more than store.
    func faults(_ leaves: Set<String>, _ nested: Set<String>, _ locking: Set<String>) -> [String] {
        var faults: [String] = []
        for name in calls {
            if nested.contains(name) {
                if !hasLockOrder { faults.append("\(name), without the order of the locks") }
            } else if name.first?.isUppercase == true
                ? locking.contains(name) && !leaves.contains(name)
                : !leaves.contains(name) || closures.contains(name)
            {
                faults.append(name)
            }
        }
        for name in closures
        where code.matches(of: Self.passed).contains(where: { $0.1 == name }) {
            faults.append("\(name), by another call")
        }
        for use in code.matches(of: /([\w$]+)[?!]?\.(\w+)(?![\w(])/) where locking.contains(String(use.2)) {
            let receiver = String(use.1)
            if receiver == parameter || parameter == nil && receiver == "$0" { continue }
            if !hasLockOrder { faults.append("\(receiver).\(use.2)") }
        }
        return faults
    }

    /// Returns the names of classes, and of properties whose getters take a lock, without those that other types have too.
    static func lockingNames(in text: String) -> Set<String> {
        let found = text.matches(of: /var (\w+): [^={}\n]+\{(?:\s*get)?[^{}\n]*\n?[^{}\n]*withLock/).map {
            String($0.1)
        }
        let classes = text.matches(of: /class (\w+)(?:<[^\n]*>)?(?:: [^\n]+)? \{/).map { String($0.1) }
        return Set(found).subtracting([
            "all", "cookie", "count", "digest", "modules", "names", "path", "requests", "text", "unreferencedLibraries",
        ]).union(classes)
    }

    /// The names of the functions that the code calls.
    private var calls: [String] {
        code.replacing(/\{ (?:\w+ in )?/, with: "{\n").split(separator: "\n").flatMap { line in
            let start = line.drop { " })".contains($0) }.prefix { $0.isLetter }
            // `name(` or `name {`, but not `.name(`, which is a case of an enumeration, and not `if name {`.
            let calls = line.matches(of: /(^|[^\w.$]|[\w)\]?!]\.)([A-Za-z_]\w*)([?!]?\(| \{)/)
            return calls.filter { $0.3.hasSuffix("(") || !Self.statements.contains(String(start)) }
                .map { String($0.2) }.filter { !Self.keywords.contains($0) && !Self.statements.contains($0) }
        }
    }

    /// A function that is passed to another one, which calls it.
    private static var passed: Regex<(Substring, Substring)> {
        /(?:map|filter|first|firstIndex|contains|forEach|min|max|sorted|reduce)\((?:where: |by: )?(?:\w+\.)?(\w+)\)/
    }

    private static var closureDeclaration: Regex<(Substring, Substring)> {
        /(\w+): (?:@\w+ |sending )*\(?(?:@\w+ )*\([^()]*(?:\([^()]*\)[^()]*)*\) (?:async )?(?:throws(?:\(\w+\))? )?->/
    }

    private static let statements: Set = ["if", "guard", "else", "while", "for", "switch", "do", "defer", "repeat"]
    private static let keywords: Set = [
        "return", "catch", "in", "throws", "case", "let", "var", "try", "nil", "true", "false", "async",
    ]

    /// Returns the parenthesis or closure at the start of a text.
    private static func argument(in text: Substring) -> String? {
        let rest = text.drop { $0 == " " }
        guard let open = rest.first, open == "(" || open == "{" else { return nil }
        return String(rest[..<end(of: rest)])
    }

    /// Returns the index after the bracket that closes the first one.
    private static func end(of text: Substring) -> String.Index {
        var depth = 0
        for index in text.indices {
            if "({[".contains(text[index]) { depth += 1 }
            if ")}]".contains(text[index]) { depth -= 1 }
            if depth == 0 { return text.index(after: index) }
        }
        return text.endIndex
    }

    /// Returns a text without the closures that run later: those of tasks and queues, and those that capture weakly.
    private static func withoutLater(_ text: String) -> String {
        var (result, rest) = ("", text[...])
        while let later = rest.firstMatch(
            of: /(?:Task(?:\.detached)?(?:\([^{}]*\))?|async(?:After\([^{}]*\))?) \{|\{ \[weak/)
        {
            guard let open = later.0.firstIndex(of: "{") else { break }
            result += rest[..<open]
            rest = rest[end(of: rest[open...])...]
        }
        return result + rest
    }
}
