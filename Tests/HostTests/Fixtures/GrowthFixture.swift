import HostDriver
import ViperKit

extension ModuleFixture {
    /// A module of today, whose screen has a section and a field of kinds that this version does not know, an unknown
    /// tone, an unknown role and an unknown alignment.
    ///
    /// It shows the events that it receives. The route `elder/refuse` throws an error that the module has changed.
    static let elder = ModuleFixture(
        "Elder",
        """
        import Observation
        import ViperKit

        @c(viper_entry_v1_Elder)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Elder.self) }

        final class Elder: Module {
            init(services: any ServiceResolver) {}

            static func register(with registrar: Registrar<Elder>) {
                for route in ["elder", "elder/refuse"] {
                    registrar.route(route) { module, request in try module.view(for: request) }
                }
            }

            func view(for request: RouteRequest) throws -> any View {
                if request.route == "elder/refuse" {
                    var error = ViperError(.fileMissing, operation: "cannot read", subject: "it", cause: "no reason")
                    error.cause = "some reason"
                    error.notes.append(.init("in", "a box"))
                    throw error
                }
                return ElderView()
            }
        }

        @Observable
        final class ElderView: View {
            private(set) var screen = Screen(title: "Elder")
            private var events: [String] = []

            init() {
                var section = Section(title: "Sales", rows: [Row(id: "1", title: "May", detail: "7")])
                section.kind = Section.Kind(rawValue: "chart")
                section.rows[0].tone = Screen.Tone(rawValue: "gloomy")
                section.columns = [.init("Month"), .init("Sold", alignment: .init(rawValue: "centre"))]
                screen.sections = [section]
                screen.emptyText = "Nothing"
                screen.form = Form(fields: [
                    Field(id: "born", label: "Born", value: "1815", kind: Field.Kind(rawValue: "shade"))
                ])
                screen.actions = [Action(id: "go", title: "Go")]
                screen.actions[0].role = Action.Role(rawValue: "grand")
            }

            func handle(_ event: Event) async {
                switch event {
                case .fill(let field, let text):
                    events.append("fill \\(field)")
                    screen.form?.fields[0].value = text
                case .press(let action): events.append("press \\(action)")
                case .select(let row): events.append("select \\(row)")
                case .returned: events.append("returned")
                default: events.append("something newer")
                }
                screen.text = events.joined(separator: ", ")
            }
        }
        """)
}

extension ManifestText {
    static var elder: ManifestText {
        ManifestText("elder", library: "libElder.so", routes: ["elder", "elder/refuse"])
    }
}

extension SDKBuild {
    /// The changes of a later version: properties of a screen, a section, a row, a field, an action and an error, kinds
    /// of sections and fields, an event, and a code of an error.
    ///
    /// New properties and cases come first, so that everything after them moves.
    static let growth = [
        SourceChange(
            #"public static var version: String { "\#(SDK.version)" }"#,
            #"public static var version: String { "1.99" }"#),

        SourceChange(
            "public struct Screen: Sendable, Equatable {\n",
            "public struct Screen: Sendable, Equatable {\n    public var mood: Double? = 0.5\n"),
        SourceChange("case title, image, text,", "case mood, title, image, text,"),
        SourceChange(
            "        image = try values.decodeIfPresent(Image.self, forKey: .image)\n",
            """
                    mood = try values.decodeIfPresent(Double.self, forKey: .mood)
                    image = try values.decodeIfPresent(Image.self, forKey: .image)

            """),
        SourceChange(
            "        try values.encodeIfPresent(emptyText, forKey: .emptyText)\n",
            """
                    try values.encodeIfPresent(mood, forKey: .mood)
                    try values.encodeIfPresent(emptyText, forKey: .emptyText)

            """),
        SourceChange(
            "public struct Section: Sendable, Equatable {\n",
            "public struct Section: Sendable, Equatable {\n    public var margins: [String] = []\n"),
        SourceChange(
            "public struct Action: Sendable, Equatable, Codable {\n",
            "public struct Action: Sendable, Equatable, Codable {\n    public var sound: String? = \"plain\"\n"),
        SourceChange(
            "public struct Field: Sendable, Equatable {\n",
            "public struct Field: Sendable, Equatable {\n    public var hint: String?\n"),
        SourceChange(
            "public var isSecret: Bool { !Self.plain.contains(self) }",
            """
            public var isSecret: Bool { !Self.plain.contains(self) && self != .shade }
                    public static var shade: Self { Self(rawValue: "shade") }
            """),

        SourceChange(
            "public enum Event: Sendable, Equatable {\n",
            """
            public enum Event: Sendable, Equatable {
                case moved(row: String, above: String, from: String, to: String, at: Double)

            """),
        SourceChange(
            "await returned(from: route, result: result)\n",
            "await returned(from: route, result: result)\n        case .moved: break\n"),
        SourceChange(
            "public func load() async {}",
            "public func load() async { await handle(.moved(row: \"\", above: \"\", from: \"\", to: \"\", at: 0)) }"
        ),

        SourceChange(
            "public struct ViperError: Error, Sendable, Equatable {\n",
            "public struct ViperError: Error, Sendable, Equatable {\n    public var page: String? = \"help.html\"\n"),
        SourceChange(
            "case code, kind, operation, subject, cause, notes, fix\n",
            "case page, code, kind, operation, subject, cause, notes, fix\n"),
        SourceChange(
            "        try values.encode(code.name, forKey: .code)\n",
            """
                    try values.encodeIfPresent(page, forKey: .page)
                    try values.encode(code.name, forKey: .code)

            """),
        SourceChange(
            "            fix: try values.decodeIfPresent(String.self, forKey: .fix))\n",
            """
                        fix: try values.decodeIfPresent(String.self, forKey: .fix))
                    page = try values.decodeIfPresent(String.self, forKey: .page)

            """),
        SourceChange("return evidence + (", "return evidence + (page.map { \"\\n  page: \\($0)\" } ?? \"\") + ("),
        // The later version reports this error by a new code.
        SourceChange(
            "public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }\n",
            """
            public init(_ name: String, _ kind: Kind) {
                (self.name, self.kind) = (name == "module-failed" ? "module-refused-route" : name, kind)
            }

            """),
    ]
}
