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
    /// A later version. Only its interface exists, which is the current one with additional declarations.
    case extended(by: String)
    /// The current version, marked as compiled by a different minor version of Swift. Only its interface exists.
    case byOtherSwift
    /// The current version, linked statically into the module instead of being shared with the host.
    case embedded

    /// Returns the arguments with which swiftc compiles and links a module against this build.
    package func linking() async throws -> [String] {
        let (modules, shared) = ("\(Products.folder)/Modules", ["-L", Products.folder, "-lViperKit"])
        func interface(_ path: String = "\(modules)/ViperKit.swiftinterface") throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }
        switch self {
        case .products: return ["-I", modules] + shared
        case .released(let version):
            let path = "\(Products.releasedInterfaces)/\(version).swiftinterface"
            return ["-I", try await Self.folder(of: interface(path))] + shared
        case .extended(let declarations):
            return ["-I", try await Self.folder(of: interface() + declarations)] + shared
        case .byOtherSwift:
            let marked = try interface().replacingOccurrences(of: "swift_6_3", with: "swift_6_2")
            return ["-I", try await Self.folder(of: marked)] + shared
        case .embedded: return ["-I", modules] + (try Products.objects(of: "ViperKit"))
        }
    }

    /// Returns a folder that contains only an interface of ViperKit. A module that is linked to the products may need
    /// declarations that they do not have, because the linker accepts undefined symbols in a library.
    private static func folder(of interface: String) async throws -> String {
        try await BuildCache.shared.output(interface) { folder in
            try interface.write(toFile: "\(folder)/ViperKit.swiftinterface", atomically: false, encoding: .utf8)
            return folder
        }
    }

    /// Returns the path of a `libViperKit.so` that simulates a later version. It is built from copies of the current sources
    /// with the settings of their package.
    ///
    /// - Parameter changes: The text replacements to make in the sources.
    /// - Throws: ``ChildFailure`` if compilation fails, or if no source contains the text that a change replaces.
    public static func library(changing changes: [SourceChange]) async throws -> String {
        try await BuildCache.shared.output("libViperKit.so \(changes)") { folder in
            var pending = Set(changes)
            let sources = "\(Products.repository)/Sources/ViperKit"
            let files = try Products.files(sources, "swift")
                .filter { !$0.contains("Package.swift") && !$0.contains(".build/") }
            var inputs: [String] = []
            for file in files {
                let name = file.dropFirst(sources.count + 1).split(separator: "/").joined(separator: "-")
                let input = "\(folder)/\(name)"
                var text = try String(contentsOfFile: file, encoding: .utf8)
                for change in changes where text.contains(change.old) {
                    text = text.replacingOccurrences(of: change.old, with: change.new)
                    pending.remove(change)
                }
                try text.write(toFile: input, atomically: false, encoding: .utf8)
                inputs.append(input)
            }
            if let change = pending.first { throw ChildFailure("no source of ViperKit contains \(change.old)") }
            try await Compiler.swiftc(
                ["-emit-library", "-Xlinker", "-soname=libViperKit.so", "-whole-module-optimization"]
                    + ["-Onone", "-parse-as-library", "-swift-version", "6", "-module-name", "ViperKit"]
                    + ["-enable-library-evolution", "-enable-upcoming-feature", "ExistentialAny"]
                    + ["-enable-upcoming-feature", "InternalImportsByDefault"]
                    + ["-o", "\(folder)/libViperKit.so"] + inputs)
            return "\(folder)/libViperKit.so"
        }
    }
}
