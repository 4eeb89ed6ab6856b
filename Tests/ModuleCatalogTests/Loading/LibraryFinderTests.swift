import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleCatalog

@Suite(.hangLimit)
struct LibraryFinderTests {
    private let scratch: ScratchFolder
    private let log = Steps()
    private let finder: LibraryFinder

    init() throws {
        scratch = try ScratchFolder()
        let root = Root(path: "\(scratch.path)/root", executableFolder: "\(scratch.path)/bin")
        finder = LibraryFinder(
            root: root, logger: LineLogger(source: "host", minimum: .warning) { [log] in log.add($0) })
    }

    private func text() throws -> String { String(decoding: try finder.read("libA.so").code, as: UTF8.self) }

    @Test("A library in Plugins takes precedence over a bundled one, with a warning")
    func order() throws {
        try scratch.write("bundled", to: "bin/libA.so")
        #expect(try text() == "bundled")
        #expect(log.all.isEmpty)
        try scratch.write("dropped", to: "root/Plugins/libA.so")
        #expect(try text() == "dropped")
        _ = try text()
        #expect(
            log.all == [
                "host: warning: libA.so in \(scratch.path)/root/Plugins differs from the one in \(scratch.path)/bin; "
                    + "the first is used"
            ])
    }

    @Test("Two equal libraries cause no warning")
    func equal() throws {
        try scratch.write("same", to: "bin/libA.so")
        try scratch.write("same", to: "root/Plugins/libA.so")
        #expect(try text() == "same")
        #expect(log.all.isEmpty)
    }

    @Test("The error for a missing library names both folders")
    func missing() throws {
        let error = try #require(throws: ViperError.self) { try finder.read("libA.so") }
        #expect(
            error
                == ViperError(
                    .libraryMissing, operation: "cannot load library", subject: "libA.so", cause: "it does not exist",
                    notes: [
                        .init("looked in", "\(scratch.path)/root/Plugins"), .init("looked in", "\(scratch.path)/bin"),
                    ], fix: "copy it to Plugins, or build it with swift build or host build"))
    }

    @Test("The error for a missing library suggests a similar one, unless another manifest refers to it")
    func suggestion() throws {
        try scratch.write("", to: "root/Plugins/libB.so")
        func fix() throws -> String? {
            try #require(throws: ViperError.self) { try finder.read("libA.so") }.fix
        }
        #expect(try fix()?.contains("libB.so") == true)
        try scratch.write(
            manifestText("b").replacing("libb.so", with: "libB.so"), to: "root/Manifests/b.json")
        finder.referenced.names = Set(try Catalog(reading: finder.root).manifests.map(\.library))
        #expect(try fix()?.contains("libB.so") == false)
    }

    @Test("The error for a dangling symbolic link names its target and suggests no library")
    func danglingLink() throws {
        try scratch.write("", to: "root/Plugins/other")
        let plugins = "\(scratch.path)/root/Plugins"
        try FileManager.default.createSymbolicLink(atPath: "\(plugins)/libA.so", withDestinationPath: "../gone.so")
        let error = try #require(throws: ViperError.self) { try finder.read("libA.so") }
        #expect(
            error
                == ViperError(
                    .libraryMissing, operation: "cannot load library", subject: "libA.so",
                    cause: "it is a symbolic link to ../gone.so, which does not exist",
                    notes: [.init("folder", plugins)],
                    fix: "point the link to a library, or replace it with a copy of the library"))
    }

    @Test("A folder or a named pipe with a library's name is refused without blocking")
    func notAFile() throws {
        try scratch.write("", to: "root/Plugins/libA.so/inner")
        try scratch.write("", to: "bin/readme")
        try #require(mkfifo("\(scratch.path)/bin/libB.so", 0o600) == 0)
        for (library, folder) in [("libA.so", "root/Plugins"), ("libB.so", "bin")] {
            let error = try #require(throws: ViperError.self) { try finder.read(library) }
            #expect(error.code == .libraryInvalid)
            #expect(error.cause == "it is not a regular file")
            #expect(error.notes == [.init("folder", "\(scratch.path)/\(folder)")])
        }
    }
}
