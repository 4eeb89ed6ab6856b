import FoundationEssentials
import Glibc
import HostSystem
import ViperKit

extension BuildCommand {
    /// Compiles a source.
    ///
    /// - Parameters:
    ///   - options: Additional arguments for the compiler, such as those for contracts.
    ///   - library: The path of the library to write.
    func compile(
        _ source: ModuleSource, _ kit: KitFolder, _ options: [String], as library: String
    ) async throws(ViperError) {
        if source.isPackage { return try await compilePackage(source, options, as: library) }
        try source.checkLanguages()
        let swift = try source.swiftFiles()
        let objects = try await compileC(source, beside: library)
        let arguments =
            ["-emit-library", "-parse-as-library", "-swift-version", "6", "-module-name", source.name, "-o", library]
            + ["-O", "-whole-module-optimization", "-gline-tables-only"] + kit.arguments
            + source.moduleMapFolders().flatMap { ["-I", $0] } + options
        try await run(compiler("swiftc", arguments + swift + objects, beside: library), for: source)
    }

    /// Compiles C files. Their functions are hidden, because the dynamic linker would replace one that has the name of a
    /// function of the process, such as `error`.
    private func compileC(_ source: ModuleSource, beside library: String) async throws(ViperError) -> [String] {
        var objects: [String] = []
        for file in source.files(ending: ".c") {
            let object = "\(library).\(objects.count).o"
            let arguments = ["-c", "-fPIC", "-fvisibility=hidden", "-O2", "-gline-tables-only", file, "-o", object]
            try await run(compiler("clang", arguments, beside: library), for: source)
            objects.append(object)
        }
        return objects
    }

    private func compilePackage(
        _ source: ModuleSource, _ options: [String], as library: String
    ) async throws(ViperError) {
        let arguments = ["build", "-c", "release", "--package-path", source.folder] + options
        try await run(compiler("swift", arguments + ["--product", source.name], beside: library), for: source)
        var question = compiler("swift", arguments + ["--show-bin-path"], beside: library)
        question.output = .captured(limit: 4096)
        let folder = String(decoding: try await question.run().output.prefix { $0 != 0x0A }, as: UTF8.self)
        try Self.copy("\(folder)/lib\(source.name).so", to: library)
        try Self.checkBundles(in: folder, of: library, source)
    }

    /// Throws an error if a library uses `Bundle.module`.
    ///
    /// The accessor that SwiftPM generates looks for the bundle beside the executable, which is the host, and then at
    /// an absolute path in the package's build folder. If the bundle is in neither place, the accessor ends the
    /// process. This happens on another machine, and after the build folder is removed.
    private static func checkBundles(
        in folder: String, of library: String, _ source: ModuleSource
    ) throws(ViperError) {
        let bundles = try fileNames(in: folder, ending: ".resources")
        // The copy was just made, so it must be readable.
        guard !bundles.isEmpty, let content = FileManager.default.contents(atPath: library),
            // The accessor's path is in the library only if the product links the target and uses Bundle.module.
            let bundle = bundles.first(where: { content.contains("/\($0)") })
        else { return }
        throw ViperError(
            .sourceInvalid, operation: "cannot build", subject: source.folder,
            cause: "it uses Bundle.module, which finds \(bundle) only in this package's build folder",
            notes: [.init("bundle", "\(folder)/\(bundle)")],
            fix:
                "remove \"resources:\" from the target, set \"resources\" in the manifest to the folder, and read "
                + "its files with the service file-reader")
    }

    /// Returns a compiler whose temporary files are in the library's folder. A signal may end this command while they exist,
    /// and they are removed with this folder.
    private func compiler(_ program: String, _ arguments: [String], beside library: String) -> Subprocess {
        var compiler = Subprocess(program, arguments)
        compiler.environment["TMPDIR"] = parentFolder(of: library)
        return compiler
    }

    private func run(_ compiler: Subprocess, for source: ModuleSource) async throws(ViperError) {
        var compiler = compiler
        // The compiler's output quotes the sources, which must not send control sequences to the terminal.
        compiler.output = .captured(limit: 1 << 20)
        let result = try await compiler.run()
        for (bytes, descriptor) in [(result.output, STDOUT_FILENO), (result.errors, STDERR_FILENO)] where !bytes.isEmpty
        {
            try Terminal.write(printableLines(String(decoding: bytes, as: UTF8.self)), to: descriptor)
        }
        if result.ending == .code(0) { return }
        if let cause = result.ending.termination(of: compiler.program) {
            throw ViperError(.programFailed, operation: "cannot build", subject: source.folder, cause: cause)
        }
        throw ViperError(
            .sourceInvalid, operation: "cannot build", subject: source.folder,
            cause: "\(compiler.program) reported errors",
            fix: "correct the errors above")
    }
}
