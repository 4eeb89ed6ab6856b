import Glibc
import ViperKit

/// A text that the user edits in an editor.
enum EditedFile {
    /// The largest text that is taken over, in bytes.
    private static let largest = 1 << 24

    /// Lets the user edit a text with `$VISUAL`, `$EDITOR` or `vi`. Returns the text that the editor has stored.
    static func edit(_ text: String, on terminal: any LentTerminal) async throws(ViperError) -> String {
        let name = try await onOwnThread { () throws(ViperError) in try create(text) }
        let editor = [Curses.variable("VISUAL"), Curses.variable("EDITOR")].compactMap(\.self).first { !$0.isEmpty }
        let ended: Result<Void, ViperError>
        do throws(ViperError) {
            // The variable may contain arguments, such as `code --wait`.
            // The terminal sends Ctrl-C to the shell as well, which then has to wait for the editor.
            try await terminal.run(["/bin/sh", "-c", "trap : INT QUIT; \(editor ?? "vi") \"$1\"", "sh", name])
            ended = .success(())
        } catch { ended = .failure(error) }
        return try await onOwnThread { () throws(ViperError) in
            defer { unlink(name) }
            try ended.get()
            return try load(name)
        }
    }

    /// Creates a file with the text, which only this user can read. Returns its path.
    private static func create(_ text: String) throws(ViperError) -> String {
        let folder = Curses.variable("TMPDIR") ?? "/tmp"
        var path = Array("\(folder)/viper-XXXXXX.txt".utf8CString)
        let file = mkstemps(&path, 4)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard file >= 0 else { throw failure(folder) }
        let isWritten = store(text.isEmpty ? "" : text + "\n", in: file)
        close(file)
        if isWritten { return name }
        let failure = failure(name)
        unlink(name)
        throw failure
    }

    private static func store(_ text: String, in file: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func load(_ name: String) throws(ViperError) -> String {
        let file = open(name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(name) }
        defer { close(file) }
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while bytes.count <= largest {
            let count = read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure(name) }
            if count == 0 { break }
            bytes += part[..<count]
        }
        guard bytes.count <= largest, var text = String(validating: bytes, as: UTF8.self) else {
            throw ViperError(
                .fileMalformed, operation: "cannot read", subject: name,
                cause: bytes.count > largest ? "it is larger than \(largest) bytes" : "it is not UTF-8")
        }
        // Editors end the last line.
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }

    private static func failure(_ subject: String) -> ViperError {
        ViperError(
            .fileUnreadable, operation: "cannot edit text in", subject: subject,
            cause: String(cString: strerror(errno)))
    }
}
