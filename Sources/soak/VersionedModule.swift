import Foundation
import HostDriver

/// A module that shows its version in three places. The title is set when the scene is created, a row is set when the
/// scene loads, and the text is set by an event.
///
/// The module is compiled once. Its other versions are copies of the library in which the version number is patched.
struct VersionedModule {
    /// The bytes of the library, and the position of the version number in these bytes.
    private let content: Data
    private let place: Range<Data.Index>

    static let library = "libVersioned.so"
    static let route = "versioned"

    /// A second module with the same code. It is never replaced and must keep working.
    static let bystander = ManifestText("bystander", library: "libBystander.so", routes: ["bystander"])
    static let bystanderVersion = 7

    /// The names and routes of many more modules with the same code.
    static let many = (1...20).map { "many\($0)" }

    static func manifest(isolated: Bool = false) -> ManifestText {
        var manifest = ManifestText("versioned", library: library, routes: [route])
        if isolated { manifest.isolation = "process" }
        return manifest
    }

    init() async throws {
        content = try Data(contentsOf: URL(filePath: await Self.fixture.compiled()))
        let mark = Data("version:".utf8)
        guard let found = content.range(of: mark) else { throw Failure("the module has no version to change") }
        try expect(content[found.upperBound...].range(of: mark) == nil, "the module contains its version twice")
        place = found.upperBound..<found.upperBound + 8
    }

    func library(_ version: Int) -> Data {
        var content = content
        content.replaceSubrange(place, with: Data(String(format: "%08d", version).utf8))
        return content
    }

    private static let fixture: ModuleFixture = {
        var fixture = ModuleFixture(
            "Versioned",
            """
            import ViperKit

            @c(viper_entry_v1_Versioned)
            public func versionedModule() -> UnsafeRawPointer { ModuleEntry.export(Versioned.self) }

            @_silgen_name("versioned_number") func number() -> Int
            @_silgen_name("versioned_crash") func crash()

            final class Versioned: Module {
                init(services: any ServiceResolver) {}
                static func register(with registrar: Registrar<Versioned>) {
                    for route in ["versioned", "bystander"] + (1...20).map({ "many\\($0)" }) { registrar.route(route) { _, _ in VersionedView() } }
                }
            }

            final class VersionedView: View {
                var screen = Screen(title: "\\(number())")
                init() { screen.actions = [Action(id: "go", title: "Go"), Action(id: "crash", title: "Crash")] }
                func load() async { screen.sections = [Section(rows: [Row(id: "1", title: "\\(number())")])] }
                func handle(_ event: Event) async {
                    if event == .press(action: "crash") { crash() }
                    screen.text = "\\(number())"
                }
            }
            """)
        fixture.cSource = """
            // Eight digits follow. The compiler must not read them before they are replaced.
            static const volatile char text[] = "version:00000000";
            long versioned_number(void) {
                long number = 0;
                for (const volatile char *digit = text + 8; *digit; digit++) number = 10 * number + *digit - '0';
                return number;
            }
            void versioned_crash(void) { *(volatile int *)8 = 1; }
            """
        return fixture
    }()
}
