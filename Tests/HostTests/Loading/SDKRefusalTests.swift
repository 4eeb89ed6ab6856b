import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

/// Modules that were built with another ViperKit than the host's.
@Suite(.fewAtOnce)
struct SDKRefusalTests {
    /// C code that creates the file `$MARK` when the library is loaded, before any Swift code runs.
    private static let mark = """
        #include <fcntl.h>
        #include <stdlib.h>
        #include <unistd.h>
        __attribute__((constructor)) static void leave_mark(void) {
            const char *path = getenv("MARK");
            if (path) close(open(path, O_CREAT | O_WRONLY, 0600));
        }
        """

    /// A module that needs declarations of a later ViperKit.
    private static var later: ModuleFixture {
        var fixture = ModuleFixture(
            "Later",
            ModuleFixture.minimal(
                "viper_entry_v1_Later", rest: "screen.text = screen.footer(lines: Ruler(length: 3).length)"))
        fixture.cSource = mark
        fixture.sdk = .extended(
            by: """
                extension ViperKit.Screen {
                  public func footer(lines: Swift.Int) -> Swift.String
                }
                public struct Ruler {
                  public var length: Swift.Int
                  public init(length: Swift.Int)
                }
                """)
        return fixture
    }

    @Test("A module that needs a later ViperKit is refused with the missing names, before its code runs")
    func later() async throws {
        let refusal = try Refusal()
        try await refusal.copy(Self.later)
        let mark = refusal.root.folder.path + "/mark"
        try await refusal.expect(
            """
            cannot load library "libBad.so": it needs declarations that are missing in this host's ViperKit \(SDK.version), \
            although its manifest says that it was built for 1.0
              missing  ViperKit.Ruler.init(length: Swift.Int) -> ViperKit.Ruler
              missing  ViperKit.Ruler.length.getter : Swift.Int
              missing  ViperKit.Screen.footer(lines: Swift.Int) -> Swift.String
              missing  type metadata accessor for ViperKit.Ruler
              fix: update the host, or build the module against this host's ViperKit
            """, environment: ["MARK": mark])
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("A manifest that asks for a later ViperKit is refused with both versions and the missing names")
    func laterManifest() async throws {
        var manifest = Refusal.manifest
        manifest.sdk = "1.99"
        let refusal = try Refusal(manifest)
        try await refusal.copy(Self.later)
        let mark = refusal.root.folder.path + "/mark"
        try await refusal.expect(
            """
            cannot use module "bad": it is built for ViperKit 1.99, and this host has \(SDK.version)
              manifest  Manifests/bad.json
              missing   ViperKit.Ruler.init(length: Swift.Int) -> ViperKit.Ruler
              missing   ViperKit.Ruler.length.getter : Swift.Int
              missing   ViperKit.Screen.footer(lines: Swift.Int) -> Swift.String
              missing   type metadata accessor for ViperKit.Ruler
              fix: update the host, or build the module against ViperKit \(SDK.version)
            """, environment: ["MARK": mark])
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test(
        "A module built by another minor version of Swift is refused before its code runs"
    )
    func otherSwift() async throws {
        var fixture = ModuleFixture("Older", ModuleFixture.minimal("viper_entry_v1_Older"))
        fixture.cSource = Self.mark
        fixture.sdk = .byOtherSwift
        let refusal = try Refusal()
        try await refusal.copy(fixture)
        let mark = refusal.root.folder.path + "/mark"
        try await refusal.expect(
            """
            cannot load library "libBad.so": it was built by Swift 6.2, and this host by Swift 6.3
              fix: build it with Swift 6.3: Swift on Linux promises no binary compatibility
            """, environment: ["MARK": mark])
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("The mark appears when a module is loaded, not when it is listed")
    func markWorks() async throws {
        var fixture = ModuleFixture("Marked", ModuleFixture.minimal("viper_entry_v1_Marked"))
        fixture.cSource = Self.mark
        let root = try ScratchRoot()
        try await root.add(fixture, ManifestText("marked", library: "libMarked.so", routes: ["marked"]))
        let mark = root.folder.path + "/mark"
        for command in ["routes", "modules", "services"] {
            _ = try await root.host(command, environment: ["MARK": mark])
        }
        #expect(!FileManager.default.fileExists(atPath: mark))
        let result = try await root.host("run", "marked", environment: ["MARK": mark])
        #expect(result.text == "Minimal\n", "\(result)")
        #expect(FileManager.default.fileExists(atPath: mark))
    }

    @Test("A module built with any released ViperKit runs without a rebuild", arguments: try Products.releasedVersions)
    func older(version: String) async throws {
        var fixture = ModuleFixture("Veteran", ModuleFixture.minimal("viper_entry_v1_Veteran"))
        fixture.sdk = .released(version)
        let root = try ScratchRoot()
        try await root.add(fixture, ManifestText("veteran", library: "libVeteran.so", routes: ["veteran"]))
        #expect(try await root.host("run", "veteran").text == "Minimal\n")
    }

    @Test("A module built with a later ViperKit works if it uses no new declaration")
    func laterButCompatible() async throws {
        var fixture = ModuleFixture("Careful", ModuleFixture.minimal("viper_entry_v1_Careful"))
        fixture.sdk = Self.later.sdk
        let root = try ScratchRoot()
        try await root.add(fixture, ManifestText("careful", library: "libCareful.so", routes: ["careful"]))
        #expect(try await root.host("run", "careful").text == "Minimal\n")
    }

    @Test("A module with an embedded ViperKit is refused, with or without a link to the host's")
    func embedded() async throws {
        var fixture = ModuleFixture("Loner", ModuleFixture.minimal("viper_entry_v1_Loner"))
        fixture.sdk = .embedded
        let alone = try Refusal()
        try await alone.copy(fixture)
        try await alone.expect(
            """
            cannot load library "libBad.so": it does not link libViperKit.so
              fix: link the host's libViperKit.so dynamically
            """)
        fixture.flags = ["-L", Products.folder, "-Xlinker", "--no-as-needed", "-lViperKit"]
        let both = try Refusal()
        try await both.copy(fixture)
        try await both.expect(
            """
            cannot load library "libBad.so": it contains its own copy of ViperKit
              fix: link the host's libViperKit.so dynamically
            """, state: "resolved")
    }
}
