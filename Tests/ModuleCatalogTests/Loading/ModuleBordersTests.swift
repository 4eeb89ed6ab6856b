import Foundation
import HostDriver
import TestSupport
import Testing

@testable import ModuleCatalog

/// The borders of modules: they use ViperKit and the system, but neither each other nor the host.
struct ModuleBordersTests {
    /// The modules that a bundled module may import: ViperKit, and modules of the toolchain and the system.
    private static let allowed: Set = [
        "ViperKit", "CCurl", "CMicroHTTPD", "CNcurses", "CPostgreSQL", "CSQLite", "Dispatch", "Foundation",
        "FoundationEssentials", "FoundationNetworking",
        "Glibc",
        "Observation", "Synchronization",
    ]

    private let plugins = "\(Products.repository)/Plugins"

    /// Returns the source files of each bundled module, by the name of its Swift module.
    private func sources() throws -> [String: [String]] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: plugins).filter { $0.hasSuffix(".swift") }
        return Dictionary(grouping: files) { String($0.prefix { $0 != "/" }) }
    }

    /// Returns the modules that a source imports.
    private func imports(_ source: String) -> [String] {
        let form =
            /(?m)(?:^|;)[ \t]*(?:(?:@\w+|public|package|internal|private|fileprivate)[ \t]+)*import[ \t]+(?:[a-z]+[ \t]+)?(\w+)/
        return source.matches(of: form).map { String($0.output.1) }
    }

    @Test("Imports are recognized in their different forms")
    func forms() {
        let source = """
            import A
            public import B; @testable import C
            @_exported import struct D.Inner
            \t private  import\tE.Sub
            // import F
            let important = "import G"
            """
        #expect(imports(source) == ["A", "B", "C", "D", "E"])
    }

    @Test("A module's sources import only ViperKit and system modules")
    func sourcesAlone() throws {
        let sources = try sources()
        #expect(sources.keys.contains("CompanyList") && sources.count > 3)
        for file in sources.values.joined() {
            let source = try String(contentsOfFile: "\(plugins)/\(file)", encoding: .utf8)
            #expect(Self.allowed.isSuperset(of: imports(source)), "\(file)")
        }
    }

    private static let host = [
        "HostSystem", "JSONRPC", "DataProviders", "ModuleCatalog", "ModuleRuntime", "ModuleIsolation", "ViperRuntime",
        "ViperTesting",
    ]

    @Test("A module's library neither needs nor contains other modules or the host")
    func librariesAlone() throws {
        let modules = try sources().keys.filter {
            FileManager.default.fileExists(atPath: "\(Products.folder)/lib\($0).so")
        }
        #expect(modules.contains("CompanyList") && modules.count > 3)
        for module in modules {
            let linkage = try ElfFile(BuiltLibrary.bytes("lib\(module).so")).linkage()
            let symbols = linkage.defined + linkage.undefined
            // SwiftPM would link another target of the package into this library, not beside it.
            #expect(symbols.contains("viper_entry_v1_\(module)"))
            for other in modules + Self.host where other != module {
                #expect(!linkage.needs.libraries.contains("lib\(other).so"), "\(module)")
                // A mangled name starts with the name of its module.
                let prefixes = ["$s\(other.utf8.count)\(other)", "viper_entry_v1_\(other)"]
                let strange = symbols.filter { symbol in prefixes.contains { symbol.hasPrefix($0) } }
                #expect(strange.isEmpty, "\(module) has \(strange.prefix(3))")
            }
        }
    }
}
