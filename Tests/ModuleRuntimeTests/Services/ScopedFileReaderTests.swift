import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

@Suite(.hangLimit)
struct ScopedFileReaderTests {
    private let scratch: ScratchFolder
    private var data: String { "\(scratch.path)/data" }
    private var resources: String { "\(scratch.path)/resources" }
    private var reader: ScopedFileReader { ScopedFileReader(folders: [data, resources]) }

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write("from data", to: "data/both.txt")
        try scratch.write("from resources", to: "resources/both.txt")
        try scratch.write("only resources", to: "resources/deep/er/one.txt")
        try scratch.write("secret", to: "outside/secret.txt")
        try scratch.write("secret", to: "data-2/secret.txt")
    }

    private func text(_ name: String) async throws -> String {
        String(decoding: try await reader.read(name), as: UTF8.self)
    }

    private func failure(_ name: String, _ reader: ScopedFileReader? = nil) async throws -> ViperError {
        let reader = reader ?? self.reader
        return try await #require(throws: ViperError.self) { _ = try await reader.read(name) }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(data)/\(name)", withDestinationPath: target)
    }

    @Test("Data folders take precedence over the module's resources")
    func order() async throws {
        #expect(try await text("both.txt") == "from data")
        #expect(try await text("deep/er/one.txt") == "only resources")
    }

    @Test(
        "Unusual file names are accepted",
        arguments: ["ä 日本.txt", "\u{301}x", "..x", "x..", "...", "-", "a\nb"])
    func names(name: String) async throws {
        try scratch.write("here", to: "data/\(name)")
        #expect(try await text(name) == "here")
    }

    @Test(
        "A name that is not relative and plain is denied, existing or not",
        arguments: [
            "", ".", "..", "/", "/etc/hostname", "../outside/secret.txt", "deep/../both.txt", "./both.txt",
            "deep//er/one.txt",
            "both.txt/", "deep/.", "a\0b", "both.txt\0", "..\0/x", "../\u{301}x", "deep/../\u{301}x", "/\u{301}x",
        ])
    func denied(name: String) async throws {
        let error = try await failure(name)
        #expect(error.code == .fileDenied)
        #expect(error.subject == name)
        #expect(error.cause == "it is not a path relative to the module's folders")
    }

    @Test("A link that leads outside is denied without showing its target")
    func linksOutside() async throws {
        try link("file", to: "../outside/secret.txt")
        try link("folder", to: "\(scratch.path)/outside")
        // The name of this folder starts with the name of the allowed folder.
        try link("sibling", to: "../data-2")
        for name in ["file", "folder/secret.txt", "sibling/secret.txt"] {
            let error = try await failure(name)
            #expect(error.code == .fileDenied)
            #expect(error.cause == "a symbolic link leads out of the module's folders")
            #expect(error.notes == [.init("folder", data)])
        }
    }

    @Test("A folder whose name differs only in Unicode normalization is another folder")
    func normalization() async throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try scratch.write("here", to: "\(composed)/here.txt")
        try scratch.write("secret", to: "\(decomposed)/secret.txt")
        let folder = "\(scratch.path)/\(composed)"
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "../\(decomposed)/secret.txt")
        let reader = ScopedFileReader(folders: [folder])
        #expect(try await reader.read("here.txt") == Array("here".utf8))
        #expect(try await failure("link", reader).code == .fileDenied)
    }

    @Test("A link that stays inside is followed, and the allowed folder may be a link itself")
    func linksInside() async throws {
        try scratch.write("inner", to: "data/sub/inner.txt")
        try link("file", to: "sub/inner.txt")
        try link("folder", to: "sub")
        try link("round", to: "../data/sub/inner.txt")
        for name in ["file", "folder/inner.txt", "round"] { #expect(try await text(name) == "inner") }
        try FileManager.default.createSymbolicLink(atPath: "\(scratch.path)/alias", withDestinationPath: "data")
        let reader = ScopedFileReader(folders: ["\(scratch.path)/alias"])
        #expect(try await reader.read("folder/inner.txt") == Array("inner".utf8))
    }

    @Test("The root of the file system can be an allowed folder")
    func root() async throws {
        let reader = ScopedFileReader(folders: ["/"])
        let name = String("\(data)/both.txt".dropFirst())
        #expect(try await reader.read(name) == Array("from data".utf8))
    }

    @Test("The error for a missing file names every folder that was searched")
    func missing() async throws {
        let expected = ViperError(
            .fileMissing, operation: "cannot read file", subject: "none.txt", cause: "it does not exist",
            notes: [.init("looked in", data), .init("looked in", resources)],
            fix: "add it to the module's resources, or give --data DIR")
        #expect(try await failure("none.txt") == expected)
        #expect(try await failure("both.txt/x").code == .fileMissing)
        try link("dangling", to: "nowhere")
        #expect(try await failure("dangling").code == .fileMissing)
        #expect(try await failure("x", ScopedFileReader(folders: [])).notes == [.init("looked in", "no folder")])
    }

    @Test("A missing folder is skipped")
    func missingFolder() async throws {
        let reader = ScopedFileReader(folders: ["\(scratch.path)/gone", resources])
        #expect(try await reader.read("both.txt") == Array("from resources".utf8))
    }

    @Test("A folder, a named pipe and a circular link are unreadable, and none of them blocks")
    func unreadable() async throws {
        try #require(mkfifo("\(data)/pipe", 0o600) == 0)
        try link("loop", to: "loop")
        for (name, cause) in [
            ("pipe", "it is not a regular file"), ("loop", "Too many levels of symbolic links"),
        ] {
            let expected = ViperError(
                .fileUnreadable, operation: "cannot read file", subject: name, cause: cause,
                notes: [.init("folder", data)])
            #expect(try await failure(name) == expected)
        }
        #expect(try await failure("deep").notes == [.init("folder", resources)])
    }

    @Test("An unreadable file throws instead of falling back to a later folder")
    func unreadableFirst() async throws {
        try scratch.write("", to: "data/one.txt/inner")
        try scratch.write("text", to: "resources/one.txt")
        #expect(try await failure("one.txt").code == .fileUnreadable)
    }

    @Test("A blank file can be read, but not decoded as JSON")
    func empty() async throws {
        for (name, content) in [("empty.json", ""), ("space.json", " \n\t\r\n")] {
            try scratch.write(content, to: "data/\(name)")
            #expect(try await text(name) == content)
            let error = try await #require(throws: ViperError.self) {
                _ = try await reader.decode([Int].self, from: name)
            }
            #expect(error == ViperError(.fileEmpty, operation: "cannot read file", subject: name, cause: "it is empty"))
        }
    }

    @Test("A JSON file is decoded, and the error for an invalid one names the position")
    func decode() async throws {
        try scratch.write("[1, 2]", to: "data/good.json")
        #expect(try await reader.decode([Int].self, from: "good.json") == [1, 2])
        try scratch.write("[1,\n \"日本\", 2]", to: "data/kind.json")
        let kind = try await #require(throws: ViperError.self) {
            _ = try await reader.decode([Int].self, from: "kind.json")
        }
        #expect(
            kind
                == ViperError(
                    .fileMalformed, operation: "cannot read file", subject: "kind.json:2:2",
                    cause: "expected a number, found a string",
                    notes: [.init("at", "$[1]")], fix: "write a number"))
        try scratch.write("[\"日本\", oops]", to: "data/syntax.json")
        let syntax = try await #require(throws: ViperError.self) {
            _ = try await reader.decode([String].self, from: "syntax.json")
        }
        #expect(syntax.summary == "cannot read file \"syntax.json:1:8\": expected a value")
    }
}
