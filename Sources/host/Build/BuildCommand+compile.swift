import ViperKit
import ViperRuntime

extension BuildCommand {
    /// Compiles the module's library.
    func compile(_ source: ModuleSource, _ kit: KitFolder, as library: String) async throws(ViperError) {
        if source.isPackage { return try await compilePackage(source, as: library) }
        let arguments =
            ["-emit-library", "-parse-as-library", "-swift-version", "6", "-module-name", source.name, "-o", library]
            + (isOptimized ? ["-O", "-whole-module-optimization"] : ["-Onone", "-g"]) + kit.arguments
        try await run(Subprocess("swiftc", arguments + source.swiftFiles()), for: source)
    }

    private func compilePackage(_ source: ModuleSource, as library: String) async throws(ViperError) {
        let arguments = ["build", "-c", isOptimized ? "release" : "debug", "--package-path", source.folder]
        try await run(Subprocess("swift", arguments + ["--product", source.name]), for: source)
        var question = Subprocess("swift", arguments + ["--show-bin-path"])
        question.output = .captured(limit: 4096)
        let folder = String(decoding: try await question.run().output.prefix { $0 != 0x0A }, as: UTF8.self)
        try Self.copy("\(folder)/lib\(source.name).so", to: library)
    }

    private func run(_ compiler: Subprocess, for source: ModuleSource) async throws(ViperError) {
        switch try await compiler.run().ending {
        case .code(0): return
        case .code:
            throw ViperError(
                .sourceInvalid, "cannot build", source.folder, cause: "\(compiler.program) found errors",
                mend: "see what it says above")
        case .signal(let number):
            throw ViperError(
                .programFailed, "cannot build", source.folder, cause: "\(compiler.program) ended by signal \(number)")
        case .overdue: throw ViperError(.programFailed, "cannot build", source.folder, cause: "it took too long")
        }
    }
}
