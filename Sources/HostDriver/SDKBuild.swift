import Foundation

/// A build of ViperKit that modules are compiled against.
public enum SDKBuild: Sendable {
    /// The build that the tested host uses.
    case products
    /// A released version. Only its interface exists; at run time the module uses the tested host's ViperKit.
    case released(String)
    /// The current sources with one more source file, as a later version would have.
    case extended(by: String)
    /// The current sources, marked as built by another minor version of Swift.
    case byOtherSwift
    /// The current sources, linked statically into the module instead of shared with the host.
    case embedded

    /// Returns the arguments for swiftc.
    func linking() async throws -> [String] {
        switch self {
        case .products:
            return ["-I", "\(Products.folder)/Modules", "-L", Products.folder, "-lViperKit"]
        case .released(let version):
            let folder = try await BuildCache.shared.output("released \(version)") { folder in
                try FileManager.default.copyItem(
                    atPath: "\(Products.releasedInterfaces)/\(version).swiftinterface",
                    toPath: "\(folder)/ViperKit.swiftinterface")
                return folder
            }
            return ["-I", folder, "-L", Products.folder, "-lViperKit"]
        case .extended(let source):
            return try await Self.shared(with: source)
        case .byOtherSwift:
            return try await Self.shared(with: "") { $0.replacingOccurrences(of: "swift_6_3", with: "swift_6_2") }
        case .embedded:
            let flags = ["-emit-object", "-whole-module-optimization"]
            let folder = try await Self.build("ViperKit.o", with: "", flags)
            return ["-I", folder, "\(folder)/ViperKit.o"]
        }
    }

    private static func shared(
        with source: String, changing change: @escaping @Sendable (String) -> String = { $0 }
    ) async throws -> [String] {
        let flags = ["-emit-library", "-Xlinker", "-soname=libViperKit.so"]
        let folder = try await build("libViperKit.so", with: source, flags, changing: change)
        return ["-I", folder, "-L", folder, "-lViperKit"]
    }

    /// Compiles the sources of `Sources/ViperKit` with the settings of its package, after applying a change to them.
    private static func build(
        _ product: String, with source: String, _ flags: [String],
        changing change: @escaping @Sendable (String) -> String = { $0 }
    ) async throws -> String {
        try await BuildCache.shared.output("\(product) \(flags) \(source) \(change("swift_6_3"))") { folder in
            try source.write(toFile: "\(folder)/Extension.swift", atomically: false, encoding: .utf8)
            let sources = "\(Products.repository)/Sources/ViperKit"
            let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
                .filter { $0.hasSuffix(".swift") && !$0.contains("Package.swift") && !$0.contains(".build/") }
            var inputs = ["\(folder)/Extension.swift"]
            for file in files {
                let input = "\(folder)/\(file.split(separator: "/").joined(separator: "-"))"
                let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
                try change(text).write(toFile: input, atomically: false, encoding: .utf8)
                inputs.append(input)
            }
            try await Compiler.swiftc(
                flags + ["-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", "ViperKit"]
                    + ["-enable-library-evolution", "-enable-upcoming-feature", "ExistentialAny"]
                    + ["-enable-upcoming-feature", "InternalImportsByDefault"]
                    + ["-o", "\(folder)/\(product)"]
                    + ["-emit-module-path", "\(folder)/ViperKit.swiftmodule"] + inputs)
            return folder
        }
    }
}
