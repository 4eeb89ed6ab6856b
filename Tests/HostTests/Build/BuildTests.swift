import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The command `host build`, which installs a module in a root or leaves the root unchanged.
@Suite(.fewAtOnce)
struct BuildTests {
    private let root: ScratchRoot
    private var source: String { "\(root.folder.path)/Hello" }

    init() throws { root = try ScratchRoot() }

    private static let manifest = ManifestText("hello", library: "libHello.so", routes: ["hello"]).text

    static func code(_ title: String) -> String {
        """
        import ViperKit

        @c(viper_entry_v1_Hello)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }

        final class Hello: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Hello>) {
                registrar.route("hello") { _, _ in HelloView() }
            }
        }

        final class HelloView: View { let screen = Screen(title: "\(title)") }

        """
    }

    private func write(_ title: String, _ manifest: String = manifest, resource: String? = nil) throws {
        try root.folder.write(Self.code(title), to: "Hello/Sub/Hello.swift")
        try root.folder.write(manifest, to: "Hello/hello.json")
        if let resource { try root.folder.write(resource, to: "Hello/Resources/text.txt") }
    }

    private func build() async throws -> ChildResult {
        try await root.host("build", source)
    }

    private func expectRefused(_ code: Int32, _ error: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        let before = try content()
        let result = try await build()
        #expect(result.ending == .code(code), "\(result)", sourceLocation: sourceLocation)
        #expect(result.errors.contains(error), "\(result)", sourceLocation: sourceLocation)
        #expect(result.text == "", sourceLocation: sourceLocation)
        #expect(try content() == before, sourceLocation: sourceLocation)
    }

    /// Returns all paths in the root, with the contents of files. Leaves out the folder of the lock, which a build may
    /// create before it fails.
    private func content() throws -> [String: Data?] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { !$0.contains(".versions") }
        return paths.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: "\(root.path)/\($1)") }
    }

    @Test(
        "A folder with sources and a manifest becomes a module of the root, and a new build replaces it")
    func folder() async throws {
        try write("First")
        let first = try await build()
        #expect(first.ending == .code(0), "\(first)")
        #expect(first.text == "Built hello 1.0.0 as Plugins/libHello.so in \(root.path)\n")
        #expect(first.errors == "")
        #expect(try await root.host("run", "hello").text == "First\n")
        try write("Second")
        #expect(try await build().ending == .code(0))
        #expect(try await root.host("run", "hello").text == "Second\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path)
        #expect(names.sorted() == ["Manifests", "Plugins"])
    }

    @Test("Resources are packed into the library, which is the only installed file")
    func resources() async throws {
        let manifest = Self.manifest.replacingOccurrences(
            of: "\"sdk\"", with: "\"resources\": \"Hello/Resources\", \"sdk\"")
        try write("Hello", manifest, resource: "old")
        try root.folder.write("old", to: "Hello/Resources/gone.txt")
        #expect(try await build().ending == .code(0))
        try FileManager.default.removeItem(atPath: "\(source)/Resources/gone.txt")
        try write("Hello", manifest, resource: "newer")
        #expect(try await build().ending == .code(0))
        let library = "\(root.path)/Plugins/libHello.so"
        let report = try await ChildProcess(Products.host, ["inspect", library]).run()
        #expect(report.text.contains("text.txt, 5 bytes") && !report.text.contains("gone.txt"), "\(report)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins").sorted()
                == [".versions", "CompanyList", "libHello.so"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() == ["Manifests", "Plugins"])
        try FileManager.default.removeItem(atPath: "\(source)/Resources")
        try await expectRefused(66, "its manifest declares resources, but the folder Resources is missing\n")
    }

    @Test("A build replaces the module's manifest in Manifests, and refuses one of another module")
    func listedManifest() async throws {
        try write("Hello")
        try root.add(manifest: Self.manifest.replacingOccurrences(of: "1.0.0", with: "0.9.0"), as: "old.json")
        #expect(try await build().ending == .code(0))
        let listing = try await root.host("modules").text
        #expect(listing.contains(/hello +1\.0\.0 +resolved +libHello\.so +Manifests\/old\.json/), "\(listing)")
        try root.add(ManifestText("hello", library: "libOther.so", routes: []))
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/old.json")
        try await expectRefused(78, "belongs to another module, hello in libOther.so\n")
    }

    @Test("A build is refused if its name or library belongs to another module")
    func otherModule() async throws {
        try write("Hello")
        #expect(try await build().ending == .code(0))
        let packed = "Plugins/libHello.so belongs to another module, hello in libHello.so\n"
        try write("Other", Self.manifest.replacingOccurrences(of: "\"hello\"", with: "\"other\""))
        try await expectRefused(78, packed)
        try write("Other", Self.manifest.replacingOccurrences(of: "libHello", with: "libOther"))
        try await expectRefused(78, packed)
        #expect(try await root.host("run", "hello").text == "Hello\n")
    }

    @Test("A compile error shows the compiler's message, then the host's, and exits with 65")
    func compileError() async throws {
        try write("Hello")
        #expect(try await build().ending == .code(0))
        try root.folder.write("let number: Int = \"text\"\n", to: "Hello/Wrong.swift")
        let wrong = "\(source)/Wrong.swift:1:19: error: cannot convert value of type 'String' to specified type 'Int'"
        try await expectRefused(65, wrong)
        let result = try await build()
        #expect(
            result.errors.hasSuffix(
                "host: cannot build \"\(source)\": swiftc reported errors\n  fix: correct the errors above\n"))
        #expect(try await root.host("run", "hello").text == "Hello\n")
    }

    @Test("A package with a compile error or without the library's product shows SwiftPM's message")
    func package() async throws {
        // Without dependencies, because building them takes long.
        try root.folder.write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "hello", products: [.library(name: "Hello", type: .dynamic, targets: ["Hello"])],
                targets: [.target(name: "Hello")])
            """, to: "Hello/Package.swift")
        try root.folder.write("let number: Int = \"text\"\n", to: "Hello/Sources/Hello/Hello.swift")
        try root.folder.write(
            ManifestText("hello", library: "libHallo.so", routes: []).text, to: "Hello/Manifests/a.json")
        let noProduct = try await build()
        #expect(noProduct.ending == .code(65))
        #expect((noProduct.text + noProduct.errors).contains("no product named 'Hallo'"), "\(noProduct)")
        try root.folder.write(Self.manifest, to: "Hello/Manifests/a.json")
        let wrong = try await build()
        #expect(wrong.ending == .code(65))
        #expect((wrong.text + wrong.errors).contains("Hello.swift:1:19: error: cannot convert"), "\(wrong)")
        #expect(
            wrong.errors.hasSuffix(
                "host: cannot build \"\(source)\": swift reported errors\n  fix: correct the errors above\n"))
        #expect(!FileManager.default.fileExists(atPath: "\(root.path)/Plugins/libHello.so"))
    }

    @Test("A folder without sources, or without exactly one valid manifest, is refused")
    func wrongSources() async throws {
        try await expectRefused(66, "\"\(source)\": the folder does not exist\n")
        try write("Hello")
        try root.folder.write("[1, 2]", to: "Hello/data.json")
        try root.folder.write(Self.manifest, to: "Hello/twin.json")
        try await expectRefused(
            66, "it has 2 manifests, expected 1\n  manifest  \(source)/hello.json\n  manifest  \(source)/twin.json\n")
        let files = FileManager.default
        for name in ["twin", "hello"] { try files.removeItem(atPath: "\(source)/\(name).json") }
        try await expectRefused(66, "it has no manifest\n  looked in  \(source)\n")
        try root.folder.write(#"{ "name": "hello" }"#, to: "Hello/hello.json")
        try await expectRefused(66, "no \"library\" in  \(source)/hello.json\n  fix: add \"library\" to the manifest")
        try root.folder.write("{ \"name\": \"hello\",\n", to: "Hello/hello.json")
        try await expectRefused(78, "cannot use manifest \"\(source)/hello.json:2:1\": ")
        try root.folder.write(Self.manifest, to: "Hello/hello.json")
        try files.removeItem(atPath: "\(source)/Sub")
        try await expectRefused(66, "it contains no Swift files\n")
    }

    @Test("A malformed manifest of the module is reported with its position, and others are ignored")
    func brokenManifest() async throws {
        try write("Hello")
        try FileManager.default.removeItem(atPath: "\(source)/hello.json")
        // JSONDecoder accepts a trailing comma, and crashes on so many brackets.
        try root.add(manifest: "{ \"library\": \"libOther.so\",\n}", as: "other.json")
        try root.add(manifest: String(repeating: "[", count: 100_000), as: "deep.json")
        try await expectRefused(66, "it has no manifest\n")
        try root.add(manifest: "{\n  \"name\": \"hello\"\n  \"library\": \"libHello.so\"\n}", as: "hello.json")
        try await expectRefused(
            78, "\"\(root.path)/Manifests/hello.json:3:3\": expected a comma or a closing brace\n")
        // Malformed files in the module's own folder.
        try root.folder.write(String(repeating: "[", count: 100_000), to: "Hello/deep.json")
        try await expectRefused(78, "\"\(source)/deep.json:1:513\": the text is nested more than 512 levels deep\n")
        try root.folder.write("{ \"library\": \"libHello.so\",\n}", to: "Hello/hello.json")
        try await expectRefused(78, "\"\(source)/deep.json:1:513\": ")
        try FileManager.default.removeItem(atPath: "\(source)/deep.json")
        try await expectRefused(78, "\"\(source)/hello.json:2:1\": expected a key in double quotes\n")
    }

    @Test("C files are compiled and linked, and a library with an undefined symbol is refused")
    func cSources() async throws {
        try write("Old")
        #expect(try await build().ending == .code(0))
        try root.folder.write("import CTwice\n" + Self.code("\\(twice(21))"), to: "Hello/Sub/Hello.swift")
        try root.folder.write("int twice(int number);\n", to: "Hello/C/twice.h")
        try root.folder.write("module CTwice { header \"twice.h\" }\n", to: "Hello/C/module.modulemap")
        try await expectRefused(
            78,
            """
            host: cannot load library "libHello.so": it needs a symbol that no library defines
              undefined  twice
              fix: add the source that defines it, or link the library that does

            """)
        #expect(try await root.host("run", "hello").text == "Old\n")
        try root.folder.write("#include \"twice.h\"\nint twice(int number) { return number; \n", to: "Hello/C/twice.c")
        try await expectRefused(65, "host: cannot build \"\(source)\": clang reported errors\n")
        try root.folder.write(
            "#include \"twice.h\"\nint twice(int number) { return 2 * number; }\n", to: "Hello/C/twice.c")
        #expect(try await build().ending == .code(0))
        #expect(try await root.host("run", "hello").text == "42\n")
        // C files beside the Swift files are found, too.
        for file in ["twice.c", "twice.h", "module.modulemap"] {
            try FileManager.default.moveItem(atPath: "\(source)/C/\(file)", toPath: "\(source)/\(file)")
        }
        #expect(try await build().ending == .code(0))
        try root.folder.write("", to: "Hello/C/more.cpp")
        try await expectRefused(65, "\(source)/C/more.cpp is neither Swift nor C\n")
    }

    @Test("A library that needs a missing library is refused, and the old module stays")
    func missingLibrary() async throws {
        try write("Old")
        #expect(try await build().ending == .code(0))
        try write("New")
        try root.folder.write("int gone(void) { return 0; }\n", to: "gone.c")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        // A compiler that links a library which the host cannot find.
        try await root.folder.write(
            program: """
                #!/bin/sh
                PATH=\(path)
                clang -shared -fPIC \(root.folder.path)/gone.c -o \(root.folder.path)/libGone.so &&
                exec swiftc "$@" -L \(root.folder.path) -Xlinker --no-as-needed -lGone
                """, to: "bin/swiftc")
        let before = try content()
        let result = try await root.host("build", source, environment: ["PATH": "\(root.folder.path)/bin:\(path)"])
        #expect(result.ending == .code(78) && result.text == "", "\(result)")
        let head = "host: cannot load library \"libHello.so\": it needs the library libGone.so, which cannot be found\n"
        #expect(result.errors.hasPrefix(head) && result.errors.contains("install libGone.so, or link"), "\(result)")
        #expect(try content() == before)
    }

    @Test("A package is refused only if its library uses Bundle.module")
    func bundle() async throws {
        try root.folder.write("", to: "Hello/Package.swift")
        try root.folder.write(Self.manifest, to: "Hello/Manifests/hello.json")
        let products = "\(root.folder.path)/products"
        // A program that builds nothing and prints the folder of its products.
        try await root.folder.write(program: "#!/bin/sh\necho \(products)\n", to: "bin/swift")
        let path = "\(root.folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")"
        func build() async throws -> ChildResult { try await root.host("build", source, environment: ["PATH": path]) }
        try root.folder.write("", to: "products/hello_Hello.resources/a.txt")
        try root.folder.write("", to: "products/hello_Other.resources/a.txt")
        // The strings that SwiftPM's resource accessor leaves in a library.
        try root.folder.write(
            "hello_Other.resources\u{0}\(products)/hello_Hello.resources\u{0}", to: "products/libHello.so")
        let refused = try await build()
        #expect(refused.ending == .code(65), "\(refused)")
        #expect(
            refused.errors == """
                host: cannot build "\(source)": it uses Bundle.module, which finds hello_Hello.resources only in this package's build folder
                  bundle  \(products)/hello_Hello.resources
                  fix: remove "resources:" from the target, set "resources" in the manifest to the folder, and read its files with the service file-reader

                """)
        try root.folder.write("hello_Other.resources\u{0}", to: "products/libHello.so")
        let other = try await build()
        #expect(other.ending == .code(78) && other.errors.contains("it is not an ELF file"), "\(other)")
    }

    @Test(
        "A library with an invalid name or without an entry is refused, and nothing is replaced",
        arguments: ["Hello.so", "lib1.so", "libhello-world.so"])
    func wrongLibrary(name: String) async throws {
        try write("Hello", ManifestText("hello", library: name, routes: ["hello"]).text)
        try await expectRefused(
            78, "its library is \"\(name)\", expected \"libNAME.so\" with the name of a Swift module\n")
        try write("Hello")
        try root.folder.write("import ViperKit\n", to: "Hello/Sub/Hello.swift")
        try await expectRefused(78, "cannot load library \"libHello.so\": it has no entry\n")
    }

    @Test(
        "A killed build keeps the old module, and the next build removes the leftovers",
        arguments: ["swiftc", "llvm-objcopy"])
    func killed(program: String) async throws {
        try write("Old")
        #expect(try await build().ending == .code(0))
        let before = try content()
        // A program that writes half of its output, to the file after -o or the last argument, and then kills the host.
        try await root.folder.write(
            program: """
                #!/bin/sh
                for file; do test "$before" = -o && break; before=$file; done
                echo half > "$file"
                kill -9 $PPID
                """, to: "bin/\(program)")
        let path = "\(root.folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")"
        try write("New")
        let killed = try await root.host("build", source, environment: ["PATH": path])
        #expect(killed.ending == .signal(9))
        let after = try content()
        #expect(after.filter { !$0.key.hasPrefix(".building-") } == before)
        #expect(after.keys.contains { $0.hasPrefix(".building-") })
        #expect(try await root.host("run", "hello").text == "Old\n")
        #expect(try await build().ending == .code(0))
        #expect(try await root.host("run", "hello").text == "New\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() == ["Manifests", "Plugins"])
    }

    @Test("A signal during the compilation leaves no files of the compiler")
    func signalled() async throws {
        // A program that has a temporary file when the signal comes, and ends after the host.
        try await root.folder.write(
            program: """
                #!/bin/sh
                mkdir "$TMPDIR/TemporaryDirectory.left"
                kill -TERM $PPID
                while kill -0 $PPID 2> /dev/null; do sleep 0.01; done
                """, to: "bin/swiftc")
        let path = "\(root.folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")"
        try write("Hello")
        let before = try content()
        let ended = try await root.host("build", source, environment: ["PATH": path])
        #expect(ended.ending == .signal(SIGTERM), "\(ended)")
        #expect(try content() == before)
        #expect(try root.temporaryFolders() == [])
    }

    @Test("If the last step fails, the earlier steps are undone")
    func takenBack() async throws {
        let manifest = Self.manifest.replacingOccurrences(
            of: "\"sdk\"", with: "\"resources\": \"Hello/Resources\", \"sdk\"")
        try write("Hello", manifest, resource: "new")
        try root.folder.write("old", to: "root/Plugins/Hello/Resources/text.txt")
        try root.add(manifest: manifest.replacingOccurrences(of: "1.0.0", with: "0.9.0"), as: "hello.json")
        // A folder with the library's path makes the last step fail.
        try root.folder.write("mine", to: "root/Plugins/libHello.so/file.txt")
        try await expectRefused(73, "Plugins/libHello.so\": it is a folder, expected a file\n")
    }

    @Test("A missing swiftc or ViperKit interface is reported")
    func missingTools() async throws {
        try write("Hello")
        let noCompiler = try await root.host("build", source, environment: ["PATH": root.temporary])
        #expect(noCompiler.ending == .code(71))
        #expect(noCompiler.errors.contains("cannot run \"swiftc\": No such file or directory\n  fix: install it"))
        let bare = try await BareHost().run(["build", source, "--root", root.path])
        #expect(bare.ending == .code(66))
        #expect(
            bare.errors.contains(": Modules/ViperKit.swiftmodule is missing\n  fix: use a host that"), "\(bare)")
    }

    @Test("Two concurrent builds both succeed, and the module runs")
    func atOnce() async throws {
        try write("Hello")
        async let first = build()
        async let second = build()
        #expect(try await [first.ending, second.ending] == [.code(0), .code(0)])
        #expect(try await root.host("run", "hello").text == "Hello\n")
    }
}
