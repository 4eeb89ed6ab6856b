import Foundation
import HostDriver
import TestSupport
import Testing

/// Common mistakes of a module's author in a module of `host new`, and their errors.
@Suite(.fewAtOnce)
struct MistakeTests {
    private let root: ScratchRoot
    private var package: String { "\(root.folder.path)/Errands" }
    private var sources: String { "\(package)/Sources/Errands" }

    init() throws { root = try ScratchRoot() }

    /// Writes the module as a folder with sources and a manifest, which builds faster than a package.
    private func write() async throws {
        let result = try await ChildProcess(Products.host, ["new", "Errands", "--package", package]).run()
        try #require(result.ending == .code(0), "\(result)")
        for item in ["Manifests/errands.json", "Resources"] {
            let name = item.split(separator: "/").last ?? ""
            try FileManager.default.copyItem(atPath: "\(package)/\(item)", toPath: "\(sources)/\(name)")
        }
    }

    private func change(_ file: String, _ old: String, _ new: String) throws {
        let path = "\(sources)/\(file)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(old))
        try text.replacingOccurrences(of: old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func build() async throws -> ChildResult { try await root.host("build", sources) }

    @Test("The error for a missing entry shows the declaration to write")
    func entry() async throws {
        try await write()
        try change("ErrandsModule.swift", "@c(viper_entry_v1_Errands)\n", "")
        let result = try await build()
        #expect(result.ending == .code(78))
        #expect(
            result.errors == """
                host: cannot load library "libErrands.so": it has no entry
                  fix: define exactly one function with @c(viper_entry_v1_NAME), as in @c(viper_entry_v1_NAME) \
                public func entry() -> UnsafeRawPointer { ModuleEntry.export(YourModule.self) }

                """)
    }

    @Test("An unknown route suggests a similar one, and a route that the code does not register fails the build")
    func route() async throws {
        try await write()
        try change("errands.json", "\"name\": \"errands\", \"summary\"", "\"name\": \"todos\", \"summary\"")
        let unregistered = try await build()
        #expect(unregistered.ending == .code(70))
        #expect(
            unregistered.errors.hasPrefix(
                "host: cannot use module \"errands\": its manifest declares the route \"todos\", but its code does not register it\n"
            ), "\(unregistered)")
        try change("ErrandsModule.swift", "\"errands\"", "\"todos\"")
        #expect(try await build().ending == .code(0))
        let near = try await root.host("run", "todo")
        #expect(near.errors.hasSuffix("(2 modules, 5 routes)\n  did you mean  todos\n"), "\(near)")
        let far = try await root.host("run", "shopping")
        #expect(
            far.errors.hasSuffix(
                "  fix: open a route from a manifest's \"routes\"; host routes lists them\n"), "\(far)")
    }

    @Test("The error for an undeclared service says where to add it")
    func service() async throws {
        try await write()
        try change("errands.json", "[\"file-reader\"]", "[]")
        #expect(try await build().ending == .code(0))
        let result = try await root.host("run", "errands")
        #expect(result.ending == .code(70))
        #expect(
            result.errors == """
                host: cannot create module "errands": cannot resolve service "file-reader": the module "errands" does not require it
                  requested by  module errands → file-reader
                  fix: add "file-reader" to "requires" in the manifest that Plugins/libErrands.so carries, and rebuild it

                """)
    }

    @Test("The error for a wrong library name suggests the existing file")
    func library() async throws {
        try await write()
        #expect(try await build().ending == .code(0))
        try root.add(ManifestText("errands", library: "libErrends.so", routes: ["errands"]))
        let result = try await root.host("run", "errands")
        #expect(result.ending == .code(78))
        #expect(
            result.errors.hasSuffix(
                """
                  did you mean  libErrands.so
                  fix: write "library": "libErrands.so" in the manifest, or copy it to Plugins, \
                or build it with swift build or host build

                """), "\(result)")
    }

    @Test("A strong reference back is reported with the objects and the reference to make weak")
    func cycle() async throws {
        try await write()
        try change("ListPresenter.swift", "weak var view", "var view")
        let module = GeneratedModule("Errands", in: package)
        let tests = try await GeneratedModule.test([module], in: root.folder.path)
        #expect(tests.ending == .code(1))
        for type in ["ListView", "ListPresenter"] {
            let issue =
                "\(type) is still alive after its scene was closed: make the reference back to it weak, "
                + "as in weak var view, or [weak self] in a stored closure"
            #expect((tests.text + tests.errors).contains(issue), "\(tests)")
        }
    }
}
