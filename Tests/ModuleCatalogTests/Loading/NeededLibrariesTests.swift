import Foundation
import HostDriver
import HostSystem
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

/// The libraries that a module's library needs, and who may change them.
struct NeededLibrariesTests {
    private let scratch: ScratchFolder
    private var folder: String { "\(scratch.path)/dependency" }

    init() throws { scratch = try ScratchFolder() }

    private static let source = "extern int defined_elsewhere(void); int use(void) { return defined_elsewhere(); }"

    /// Builds a library that `libOne.so` needs, and returns its path.
    private func dependency(in folder: String = "dependency", name: String = "libDependency.so") async throws -> String
    {
        let library = SmallLibrary(
            source: "int defined_elsewhere(void) { return 1; }", linksViperKit: false, flags: ["-Wl,-soname,\(name)"])
        return try scratch.write(Data(try await library.bytes()), to: "\(folder)/libDependency.so")
    }

    /// Builds a library with these search paths, and checks the libraries that it needs.
    private func failure(
        _ paths: String, needing dependency: String, flags: [String] = [], origin: String? = nil,
        _ trust: Trust = Trust()
    ) async throws -> ViperError? {
        let all = [dependency, "-Wl,-rpath,\(paths)"] + flags
        let needs = try ElfFile(try await SmallLibrary(source: Self.source, flags: all).bytes()).linkage().needs
        return Self.failure(needs, origin, trust)
    }

    private static func failure(
        _ needs: ElfFile.Needs, _ origin: String? = nil, _ trust: Trust = Trust()
    ) -> ViperError? {
        do { try NeededLibraries(trust: trust).check(needs, of: "libOne.so", origin: origin) } catch { return error }
        return nil
    }

    private func give(_ path: String, to user: uid_t) throws { try #require(chown(path, user, user) == 0) }

    @Test("The bundled modules and libFoundation.so pass")
    func bundled() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Products.folder).filter { $0.hasSuffix(".so") }
        #expect(names.contains("libHTTPProvider.so"))
        for name in names {
            let needs = try ElfFile(BuiltLibrary.bytes(name)).linkage().needs
            try NeededLibraries(trust: Trust()).check(needs, of: name, origin: Products.folder)
        }
    }

    @Test(
        "A search path that is relative, empty or has another variable is refused",
        arguments: [
            ("lib", "libOne.so has the search path \"lib\", expected an absolute path"),
            ("/usr/lib:", "a search path of libOne.so is empty, which means the working folder"),
            (":/usr/lib", "a search path of libOne.so is empty, which means the working folder"),
            ("$ORIGINAL", "libOne.so has the search path \"$ORIGINAL\", expected an absolute path"),
            ("/usr/$LIB", "libOne.so has the search path \"/usr/$LIB\", expected an absolute path"),
        ])
    func searchPaths(paths: String, cause: String) async throws {
        let dependency = try await dependency()
        for flags in [["-Wl,--enable-new-dtags"], ["-Wl,--disable-new-dtags"]] {
            let error = try #require(try await failure(paths, needing: dependency, flags: flags))
            #expect(error.code == .pathUntrusted && error.cause == cause)
        }
        let lines = Mutex<[String]>([])
        let logger = LineLogger(source: "host", minimum: .warning) { line in lines.withLock { $0.append(line) } }
        let trust = Trust(.warn(DistinctWarnings(logger)))
        #expect(try await failure(paths, needing: dependency, trust) == nil)
        #expect(lines.withLock(\.self).first?.contains(cause) == true)
    }

    @Test("A library or a folder of a stranger is refused in each kind of search path", .needs(.strangers))
    func strangers() async throws {
        let dependency = try await dependency()
        func cause(_ flags: String...) async throws -> String? {
            try await failure("/nonexistent:\(folder)", needing: dependency, flags: flags)?.cause
        }
        #expect(try await cause() == nil)
        for path in [dependency, folder] {
            try give(path, to: Stranger.user)
            for flags in ["-Wl,--enable-new-dtags", "-Wl,--disable-new-dtags"] {
                #expect(try await cause(flags)?.hasPrefix("user 54321, who is not trusted, owns \(path) (") == true)
            }
            let trusting = Trust().trusting([Stranger.user])
            #expect(try await failure(folder, needing: dependency, trusting) == nil)
            try give(path, to: 0)
        }
        #expect(try await cause() == nil)
    }

    @Test("A search path to which others can add a library is refused, even if it is sticky")
    func openFolder() async throws {
        let dependency = try await dependency()
        try scratch.write("", to: "open/file")
        for mode in [0o777, 0o1777] as [mode_t] {
            try #require(chmod("\(scratch.path)/open", mode) == 0)
            let error = try await failure("\(scratch.path)/open:\(folder)", needing: dependency)
            #expect(error?.cause.hasPrefix("every user can change \(scratch.path)/open (") == true)
        }
        // The library is found before the folder is searched.
        #expect(try await failure("\(folder):\(scratch.path)/open", needing: dependency) == nil)
    }

    @Test(
        "A stranger's folder of libraries for one kind of processor is refused, even if it is empty",
        .needs(.strangers),
        arguments: ["glibc-hwcaps", "glibc-hwcaps/x86-64-v3", "tls/haswell/x86_64", "tls/x86_64/x86_64"])
    func variants(name: String) async throws {
        let dependency = try await dependency()
        func cause() async throws -> String? { try await failure(folder, needing: dependency)?.cause }
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        #expect(try await cause() == nil)
        try give("\(folder)/\(name)", to: Stranger.user)
        #expect(try await cause()?.contains("owns \(folder)/\(name) (") == true)
        try give("\(folder)/\(name)", to: 0)
        let variant = "\(folder)/\(name)/libDependency.so"
        try FileManager.default.copyItem(atPath: dependency, toPath: variant)
        #expect(try await cause() == nil)
        try give(variant, to: Stranger.user)
        #expect(try await cause()?.contains("owns \(variant) (") == true)
    }

    @Test("The folder of the host's Swift runtime passes, whoever owns it", .needs(.strangers))
    func runtime() async throws {
        let dependency = try await dependency()
        try scratch.write("", to: "runtime/libswiftCore.so")
        let runtime = "\(scratch.path)/runtime"
        for path in [folder, runtime] { try give(path, to: Stranger.user) }
        // One library is in the folder of the runtime, and the other is not.
        for (paths, runtime) in [(folder, folder), ("\(runtime):/nonexistent", runtime)] {
            let flags = [dependency, "-Wl,-rpath,\(paths)"]
            let needs = try ElfFile(try await SmallLibrary(source: Self.source, flags: flags).bytes()).linkage().needs
            try NeededLibraries(trust: Trust(), runtimeFolder: runtime).check(needs, of: "libOne.so", origin: nil)
            #expect(throws: ViperError.self) {
                try NeededLibraries(trust: Trust(), runtimeFolder: nil).check(needs, of: "libOne.so", origin: nil)
            }
        }
    }

    @Test("A needed absolute path of a stranger and a relative path are refused", .needs(.strangers))
    func paths() async throws {
        let path = "\(scratch.path)/absolute/libDependency.so"
        let absolute = try await dependency(in: "absolute", name: path)
        #expect(try await failure("/nonexistent", needing: absolute) == nil)
        try give(path, to: Stranger.user)
        #expect(try await failure("/nonexistent", needing: absolute)?.cause.contains("owns \(path) (") == true)
        let relative = try await dependency(in: "relative", name: "./libDependency.so")
        let cause = try await failure("/nonexistent", needing: relative)?.cause
        #expect(cause == "libOne.so needs \"./libDependency.so\", expected a name or an absolute path")
    }

    @Test(
        "An auxiliary library and a filter are checked like a needed library", .needs(.strangers),
        arguments: ["-f", "-F"])
    func filters(option: String) async throws {
        let dependency = try await dependency()
        func failure(_ path: String) async throws -> ViperError? {
            let library = SmallLibrary(flags: ["-Wl,\(option),\(path)", "-Wl,-rpath,\(folder)"])
            let bytes = try await library.bytes()
            return Self.failure(try ElfFile(bytes).linkage().needs)
        }
        for path in [dependency, "libDependency.so"] {
            #expect(try await failure(path) == nil)
            try give(dependency, to: Stranger.user)
            #expect(try await failure(path)?.cause.contains("owns \(dependency) (") == true)
            try give(dependency, to: 0)
        }
        let cause = try await failure("./libDependency.so")?.cause
        #expect(cause == "libOne.so needs \"./libDependency.so\", expected a name or an absolute path")
    }

    @Test("The folder above the private copy is searched for $ORIGIN/..")
    func origin() async throws {
        let dependency = try await dependency(in: "dependency/lib")
        try #require(chmod("\(folder)/lib", 0o777) == 0)
        let paths = "$ORIGIN/../lib"
        #expect(try await failure(paths, needing: dependency) == nil)
        try scratch.write("", to: "dependency/private/file")
        let error = try await failure(paths, needing: dependency, origin: "\(folder)/private")
        #expect(error?.cause.hasPrefix("every user can change \(folder)/lib (") == true, "\(error as Any)")
    }

    @Test("A library that a needed library needs is checked in that library's search paths", .needs(.strangers))
    func indirect() async throws {
        let last = try await dependency(in: "last")
        let middle = SmallLibrary(
            source: Self.source, linksViperKit: false,
            flags: [last, "-Wl,-rpath,$ORIGIN/../last", "-Wl,-soname,libMiddle.so"])
        let path = try scratch.write(Data(try await middle.bytes()), to: "middle/libMiddle.so")
        let flags = ["-Wl,--no-as-needed", path]
        func failure() async throws -> ViperError? {
            let all = flags + ["-Wl,-rpath,\(scratch.path)/middle"]
            let needs = try ElfFile(
                try await SmallLibrary(source: "int viper_entry_v1_One(void) { return 1; }", flags: all).bytes()
            ).linkage().needs
            return Self.failure(needs)
        }
        #expect(try await failure() == nil)
        try give(last, to: Stranger.user)
        let error = try #require(try await failure())
        #expect(error.cause.contains("owns \(scratch.path)/middle/../last/libDependency.so ("), "\(error)")
        #expect(error.notes == [.init("needed by", path)])
    }
}
