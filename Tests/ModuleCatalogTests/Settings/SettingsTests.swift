import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleCatalog

struct SettingsTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func read(_ text: String) throws -> Settings {
        try folder.write(text, to: "host.json")
        return try Settings(reading: Root(path: folder.path, executableFolder: "/nonexistent"))
    }

    private func manifest(_ config: String, provides: String = "") throws -> Manifest {
        let text = """
            {"name": "todo", "version": "1.0.0", "library": "libt.so", "sdk": "1.0", "provides": [\(provides)],
             "config": [\(config)]}
            """
        return try Manifest(text: Data(text.utf8), named: "Manifests/todo.json")
    }

    private static let keys = """
        {"name": "baseURL", "type": "string", "summary": "Where to ask"},
        {"name": "limit", "type": "integer", "summary": "How many", "default": 10},
        {"name": "note", "type": "string", "summary": "s", "default": null}
        """

    private func set(_ key: String, _ text: String, module: String = "todo") -> Settings.Value {
        Settings.Value(module: module, key: key, text: text, origin: "--set \(module).\(key)")
    }

    @Test("Without host.json the settings are empty")
    func noFile() throws {
        #expect(try Settings(reading: Root(path: folder.path, executableFolder: "/")) == Settings())
    }

    @Test("A link without a target in place of host.json is an error, because guards may depend on the settings")
    func danglingLink() throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/host.json", withDestinationPath: "/nonexistent/host.json")
        let error = try #require(throws: ViperError.self) {
            try Settings(reading: Root(path: folder.path, executableFolder: "/"))
        }
        #expect(error.code == .settingInvalid && error.subject == "host.json", "\(error)")
    }

    @Test("Settings are read from host.json, with folders relative to the root")
    func file() throws {
        let settings = try read(
            """
            {"data": ["people", "/srv"], "workerEnvironment": ["API_HOST", "_x1"], "state": "state", "use": {"data-provider": "sqlite"},
             "set": {"todo": {"limit": 3, "baseURL": "http://x", "share": 0.5, "all": true}}}
            """)
        #expect(settings.dataFolders == ["\(folder.path)/people", "/srv"])
        #expect(settings.stateFolder == "\(folder.path)/state")
        #expect(settings.providers == ["data-provider": "sqlite"])
        #expect(settings.workerEnvironment == ["API_HOST", "_x1"])
        #expect(settings.values.map(\.key) == ["all", "baseURL", "limit", "share"])
        #expect(
            settings.values.map(\.content) == [
                .value(.boolean(true)), .value(.string("http://x")), .value(.integer(3)), .value(.number(0.5)),
            ])
    }

    @Test(
        "Invalid content of host.json is reported by line and column",
        arguments: [
            ("{\"sett\": {}}", "host.json:1:2", "unknown key \"sett\""),
            ("{\n \"data\": \"x\"}", "host.json:2:10", "expected an array, found a string"),
            ("{\"set\": {\"todo\": {\"x\": {}}}}", "host.json:1:24", "expected a string, found an object"),
            (
                "{\"workerEnvironment\": [\"A\", \"B=C\"]}", "host.json:1:23",
                "\"B=C\" is not a valid name of an environment variable"
            ),
            ("{\"data\": [\"a\", \"b\\u0000c\"]}", "host.json:1:10", "a path contains a NUL character"),
            ("{\"state\": \"b\\u0000c\"}", "host.json:1:11", "a path contains a NUL character"),
            ("{\"use\": {}, \"use\": {}}", "host.json:1:13", "duplicate key \"use\""),
            ("", "host.json:1:1", "expected a value, found the end of the text"),
        ])
    func malformed(text: String, place: String, cause: String) throws {
        let error = try #require(throws: ViperError.self) { try read(text) }
        #expect(error.code == .settingInvalid)
        #expect(error.subject == place)
        #expect(error.cause == cause)
    }

    @Test("The last value is used, defaults are filled in, and an optional key may be missing")
    func configuration() throws {
        var settings = Settings()
        settings.values = [set("baseURL", "http://a"), set("baseURL", "http://b"), set("limit", "0", module: "other")]
        let configuration = try manifest(Self.keys).configuration(under: settings)
        #expect(configuration.values == ["baseURL": .string("http://b"), "limit": .integer(10)])
        #expect(configuration.unset == ["note"] && configuration.module == "todo")
    }

    @Test("An array has an item for each text, or the items of host.json, and each item is checked")
    func arrays() throws {
        let manifest = try manifest(
            """
            {"name": "ports", "type": "array", "items": "integer", "minimum": 1, "summary": "s"},
            {"name": "hosts", "type": "array", "items": "string", "default": ["a"], "summary": "s"}
            """)
        var settings = Settings()
        let unset = try manifest.configuration(under: settings)
        #expect(unset.values == ["ports": .array([]), "hosts": .array([.string("a")])])
        let file = ParameterValue.array([.integer(80)])
        settings.values = [Settings.Value(module: "todo", key: "ports", value: file, origin: "host.json")]
        #expect(try manifest.configuration(under: settings).values["ports"] == file)
        settings.values += [set("ports", "1"), set("ports", "2")]
        #expect(try manifest.configuration(under: settings).values["ports"] == .array([.integer(1), .integer(2)]))
        settings.values.append(set("ports", "0"))
        let error = try #require(throws: ViperError.self) { try manifest.configuration(under: settings) }
        #expect(error.cause == "\"ports\" contains \"0\", expected an integer of at least 1")
    }

    @Test("A missing value, an unknown key and a value of another type are errors")
    func invalidValues() throws {
        let manifest = try manifest(Self.keys)
        func failure(_ values: Settings.Value...) throws -> ViperError {
            var settings = Settings()
            settings.values = values
            return try #require(throws: ViperError.self) { try manifest.configuration(under: settings) }
        }
        #expect(try failure().fix == "give --set todo.baseURL=STRING")
        let unknown = try failure(set("baseUrl", "http://a"))
        #expect(unknown.summary == "cannot use \"--set todo.baseUrl\": \"todo\" has no key \"baseUrl\"")
        #expect(unknown.notes == [.init("keys", "baseURL, limit, note")])
        #expect(unknown.fix == "write todo.baseURL")
        #expect(
            try failure(set("limit", "many")).summary
                == "cannot use \"--set todo.limit\": \"limit\" is \"many\", expected an integer")
    }

    @Test("An unknown module and an unknown provider are errors")
    func unknown() throws {
        let manifests = [try manifest("", provides: "\"clock\"")]
        var settings = Settings()
        settings.values = [set("x", "1", module: "tood")]
        let module = try #require(throws: ViperError.self) {
            try settings.check(against: manifests, hostProviders: [:])
        }
        #expect(module.cause == "unknown module \"tood\"")
        #expect(module.fix == "write todo.x")
        // The missing value of another key is not checked here.
        settings.values = [set("limit", "1")]
        try settings.check(against: [try manifest(Self.keys)], hostProviders: [:])
        settings.values = []
        settings.providers = ["clock": "sundial"]
        let provider = try #require(throws: ViperError.self) {
            try settings.check(against: manifests, hostProviders: ["clock": "quartz"])
        }
        #expect(provider.notes == [.init("providers", "quartz, todo")])
        settings.providers = ["clok": "todo"]
        let service = try #require(throws: ViperError.self) {
            try settings.check(against: manifests, hostProviders: [:])
        }
        #expect(service.cause == "no module provides the service \"clok\"" && service.notes == [])
        #expect(service.fix == "write clock=todo")
        for name in ["todo", "quartz"] {
            settings.providers = ["clock": name]
            try settings.check(against: manifests, hostProviders: ["clock": "quartz"])
        }
    }

    @Test("A choice for one module names a module, a service that it uses, and a provider")
    func singleChoices() throws {
        let user = try Manifest(text: Data(manifestText("user", requires: ["clock"]).utf8), named: "user.json")
        let manifests = [user, try manifest("", provides: "\"clock\"")]
        func failure(_ key: String, _ provider: String) throws -> ViperError? {
            var settings = Settings()
            settings.providers = [key: provider]
            do throws(ViperError) { try settings.check(against: manifests, hostProviders: ["clock": "quartz"]) } catch {
                settings.servicesChosenInFile = [key]
                try settings.check(against: manifests, hostProviders: ["clock": "quartz"])
                let faults = settings.faults(against: manifests, hostProviders: ["clock": "quartz"])
                #expect(faults.count == 1 && faults.first?.subject == "host.json $.use.\(key)")
                #expect(faults.first?.cause == error.cause)
                return error
            }
            return nil
        }
        for name in ["todo", "quartz"] { #expect(try failure("user.clock", name) == nil) }
        let module = try #require(try failure("usr.clock", "todo"))
        #expect(module.summary == "cannot use provider \"usr.clock=todo\": unknown module \"usr\"")
        #expect(module.fix == "write user.clock=todo")
        let service = try #require(try failure("user.clok", "todo"))
        #expect(service.cause == "\"user\" does not require the service \"clok\"")
        #expect(service.notes == [.init("requires", "clock")] && service.fix == "write user.clock=todo")
        let unused = try #require(try failure("todo.clock", "quartz"))
        #expect(unused.cause == "\"todo\" does not require the service \"clock\"" && unused.fix == nil)
        #expect(unused.notes == [.init("requires", "none")])
        let provider = try #require(try failure("user.clock", "tood"))
        #expect(provider.cause == "\"tood\" does not provide the service \"clock\"")
        #expect(provider.fix == "write user.clock=todo" && provider.notes == [.init("providers", "quartz, todo")])
    }

    @Test("A module has its own state folder, which only the user can access")
    func stateFolder() throws {
        var settings = Settings()
        settings.stateFolder = "\(folder.path)/state"
        let state = try StateRoot(settings).folder(for: "todo")
        #expect(state.path == "\(folder.path)/state/modules/todo")
        #expect(try permissions(of: state.path) == 0o700)
        #expect(try StateRoot(settings).folder(for: "todo") == state)
        try folder.write("", to: "blocked")
        settings.stateFolder = "\(folder.path)/blocked"
        let error = try #require(throws: ViperError.self) { try StateRoot(settings).folder(for: "todo") }
        #expect(error.code == .storeFailed)
    }

    @Test("A state folder that is missing after it was created is an error")
    func lostStateFolder() throws {
        var settings = Settings()
        // The system creates the folder `b` instead.
        settings.stateFolder = "\(folder.path)/b\0c"
        let error = try #require(throws: ViperError.self) { try StateRoot(settings).folder(for: "todo") }
        #expect(error.code == .storeFailed)
    }

    private func permissions(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
}
