import Foundation

/// A text replacement in ViperKit's source files.
public struct SourceChange: Hashable, Sendable {
    var old: String
    var new: String

    public init(_ old: String, _ new: String) { (self.old, self.new) = (old, new) }
}

/// A build of ViperKit that modules are compiled against.
public enum SDKBuild: Sendable {
    /// The ViperKit build that the tested host loads.
    case products
    /// A released version. Only its interface exists, so the module uses the tested host's ViperKit at run time.
    case released(String)
    /// The current sources with an additional source file, which simulate a later version.
    case extended(by: String)
    /// The current sources, marked as compiled by a different minor version of Swift.
    case byOtherSwift
    /// The current sources, linked statically into the module instead of being shared with the host.
    case embedded

    /// Returns the arguments with which swiftc compiles and links a module against this build.
    package func linking() async throws -> [String] {
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
            return try await Self.linking(Self.shared(with: source))
        case .byOtherSwift:
            return try await Self.linking(Self.shared(changing: [SourceChange("swift_6_3", "swift_6_2")]))
        case .embedded:
            let flags = ["-emit-object"]
            let folder = try await Self.build("ViperKit.o", with: "", flags)
            return ["-I", folder, "\(folder)/ViperKit.o"]
        }
    }

    /// Returns the path of a `libViperKit.so` that is built from the current sources with these changes. The library
    /// simulates a later version.
    public static func library(changing changes: [SourceChange]) async throws -> String {
        try await shared(changing: changes) + "/libViperKit.so"
    }

    private static func linking(_ folder: String) -> [String] { ["-I", folder, "-L", folder, "-lViperKit"] }

    private static func shared(with source: String = "", changing changes: [SourceChange] = []) async throws -> String {
        let flags = ["-emit-library", "-Xlinker", "-soname=libViperKit.so"]
        return try await build("libViperKit.so", with: source, flags, changing: changes)
    }

    /// Compiles ViperKit's current sources with the settings of its package, after applying changes to copies of the
    /// sources.
    ///
    /// - Parameters:
    ///   - product: The name of the file to build.
    ///   - source: The content of an additional source file.
    ///   - flags: Additional arguments for swiftc.
    ///   - changes: The text replacements to make in the sources.
    /// - Returns: The folder that contains the product and its Swift module.
    /// - Throws: ``ChildFailure`` if compilation fails, or if no source contains the text that a change replaces.
    private static func build(
        _ product: String, with source: String, _ flags: [String], changing changes: [SourceChange] = []
    ) async throws -> String {
        try await BuildCache.shared.output("\(product) \(flags) \(source) \(changes)") { folder in
            var pending = Set(changes)
            try source.write(toFile: "\(folder)/Extension.swift", atomically: false, encoding: .utf8)
            let sources = "\(Products.repository)/Sources/ViperKit"
            let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
                .filter { $0.hasSuffix(".swift") && !$0.contains("Package.swift") && !$0.contains(".build/") }
            var inputs = ["\(folder)/Extension.swift"]
            for file in files {
                let input = "\(folder)/\(file.split(separator: "/").joined(separator: "-"))"
                var text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
                for change in changes where text.contains(change.old) {
                    text = text.replacingOccurrences(of: change.old, with: change.new)
                    pending.remove(change)
                }
                try text.write(toFile: input, atomically: false, encoding: .utf8)
                inputs.append(input)
            }
            if let change = pending.first { throw ChildFailure("no source of ViperKit contains \(change.old)") }
            try await Compiler.swiftc(
                flags + [
                    "-emit-module", "-whole-module-optimization", "-Onone", "-parse-as-library", "-swift-version", "6",
                    "-module-name", "ViperKit",
                ]
                    + ["-enable-library-evolution", "-enable-upcoming-feature", "ExistentialAny"]
                    + ["-enable-upcoming-feature", "InternalImportsByDefault"]
                    + ["-o", "\(folder)/\(product)"]
                    + ["-emit-module-path", "\(folder)/ViperKit.swiftmodule"] + inputs)
            return folder
        }
    }
}
