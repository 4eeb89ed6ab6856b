import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Todo

@MainActor
@Suite(.hangLimit)
struct TodoEnvironmentTests {
    private let store = FakeTodoStore()
    private let chosen = TodoSettings(baseURL: "http://other", pageSize: 3)

    @Test("A choice is kept for later hosts, until the configuration changes")
    func choice() async throws {
        let first = TodoEnvironment(configured: .test, store: store)
        try await first.load()
        #expect(first.settings == .test)
        try await first.choose(chosen)
        #expect(first.settings == chosen)
        let second = TodoEnvironment(configured: .test, store: store)
        try await second.load()
        #expect(second.settings == chosen)
        let configured = TodoSettings(baseURL: "http://test", pageSize: 50)
        let third = TodoEnvironment(configured: configured, store: store)
        try await third.load()
        #expect(third.settings == configured)
    }

    @Test("Settings are read once, and do not replace a choice")
    func once() async throws {
        let environment = TodoEnvironment(configured: .test, store: store)
        try await environment.choose(chosen)
        try await TodoEnvironment(configured: .test, store: store).choose(.test)
        try await environment.load()
        #expect(environment.settings == chosen)
    }

    @Test("A choice that cannot be stored changes nothing, and unreadable settings can be replaced")
    func failure() async throws {
        let environment = TodoEnvironment(configured: .test, store: store)
        store.failure = storeFailure
        await #expect(throws: storeFailure) { try await environment.choose(chosen) }
        #expect(environment.settings == .test)
        store.failure = nil
        store.put("{", as: "settings.json")
        let error = await #expect(throws: ViperError.self) { try await environment.load() }
        #expect(error?.subject.hasPrefix("settings.json:1:") == true)
        try await environment.choose(chosen)
        try await environment.load()
        #expect(environment.settings == chosen)
    }

    @Test("The configured password is not stored, and is used for the configured server only")
    func password() async throws {
        let configured = TodoSettings(baseURL: "http://u:s3cret@test", pageSize: 20)
        let first = TodoEnvironment(configured: configured, store: store)
        for url in ["http://other", "http://test"] {
            try await first.choose(TodoSettings(baseURL: url, pageSize: 3))
            let expected = url == "http://test" ? configured.baseURL : url
            #expect(first.settings == TodoSettings(baseURL: expected, pageSize: 3))
            #expect(store.texts["settings.json"]?.contains("s3cret") == false)
            let later = TodoEnvironment(configured: configured, store: store)
            try await later.load()
            #expect(later.settings == first.settings)
        }
    }

    @Test("Only a change of the server is an element of the stream of its changes")
    func serverChange() async throws {
        var environment: TodoEnvironment? = TodoEnvironment(configured: .test, store: store)
        var changes = environment?.sourceChanges(for: "a").makeAsyncIterator()
        try await environment?.choose(chosen)
        #expect(await changes?.next() != nil)
        try await environment?.choose(TodoSettings(baseURL: chosen.baseURL, pageSize: 4))
        // Ends the stream.
        environment = nil
        #expect(await changes?.next() == nil)
    }
}

struct KeptTodosTests {
    private let store = FakeTodoStore()
    private let list = TodoList(
        source: TodoSource(baseURL: "http://test", userName: "ada"),
        todos: [Todo(id: 7, userId: 1, title: "delectus", completed: false)])

    @Test("A running module stores the last list with its time, for its source only", .hangLimit)
    func keeping() async throws {
        let kept = KeptTodos(store: store)
        #expect(try await kept.list(of: list.source) == nil)
        kept.keep(TodoList(source: list.source, todos: []))
        kept.keep(list)
        let running = Task { try await kept.run() }
        #expect(await eventually { store.texts["todos.json"] != nil })
        running.cancel()
        try await running.value
        var stored = try #require(try await kept.list(of: list.source))
        #expect(stored.keptAt?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(stored)")
        stored.keptAt = nil
        #expect(stored == list)
        for other in [TodoSource(baseURL: "http://test"), TodoSource(baseURL: "http://test/b", userName: "ada")] {
            #expect(try await kept.list(of: other) == nil)
        }
    }

    @Test("An error of the store ends the run, and a later run stores the next list", .hangLimit)
    func failing() async throws {
        let kept = KeptTodos(store: store)
        store.failure = storeFailure
        kept.keep(list)
        await #expect(throws: storeFailure) { try await kept.run() }
        store.failure = nil
        let running = Task { try await kept.run() }
        kept.keep(list)
        #expect(await eventually { store.texts["todos.json"] != nil })
        running.cancel()
        try await running.value
    }
}

struct TodoStoreTests {
    private let folder: ScratchFolder
    private let store: TodoStore

    init() throws {
        folder = try ScratchFolder()
        store = TodoStore(folder: StateFolder(path: folder.path), json: TestJSONCoder())
    }

    @Test("A value is read back as it was written, and a missing one is nil")
    func values() async throws {
        #expect(try await store.read(TodoSettings.self, from: "settings.json") == nil)
        for size in [1, 2] {
            let settings = TodoSettings(baseURL: "http://tést", pageSize: size)
            try await store.write(settings, to: "settings.json")
            #expect(try await store.read(TodoSettings.self, from: "settings.json") == settings)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/settings.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.json"])
    }

    @Test("No change of several stores in one folder is lost", .hangLimit)
    func changes() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let store = TodoStore(folder: StateFolder(path: folder.path), json: TestJSONCoder())
                group.addTask {
                    for _ in 0..<25 {
                        _ = try await store.change("settings.json") { (old: TodoSettings?) in
                            TodoSettings(baseURL: "http://test", pageSize: (old?.pageSize ?? 0) + 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read(TodoSettings.self, from: "settings.json")?.pageSize == 100)
        let gone = TodoStore(folder: StateFolder(path: folder.path + "/gone"), json: TestJSONCoder())
        let error = await #expect(throws: ViperError.self) {
            try await gone.change("settings.json") { (_: TodoSettings?) in .test }
        }
        #expect(error?.operation == "cannot lock file" && error?.code == .storeFailed)
    }

    @Test("A damaged file, and a folder that is missing or in the way, are errors that name the file")
    func failures() async throws {
        try folder.write("[", to: "settings.json")
        let damaged = await #expect(throws: ViperError.self) {
            try await store.read(TodoSettings.self, from: "settings.json")
        }
        #expect(damaged?.code == .jsonInvalid)
        try folder.write("", to: "taken.json/file")
        let taken = await #expect(throws: ViperError.self) {
            try await store.read(TodoSettings.self, from: "taken.json")
        }
        #expect(taken?.code == .storeFailed && taken?.subject == "\(folder.path)/taken.json", "\(taken as Any)")
        #expect(taken?.cause == "Is a directory", "\(taken as Any)")
        let gone = TodoStore(folder: StateFolder(path: folder.path + "/gone"), json: TestJSONCoder())
        let unwritten = await #expect(throws: ViperError.self) {
            try await gone.write(TodoSettings.test, to: "settings.json")
        }
        #expect(
            unwritten?.code == .storeFailed && unwritten?.cause == "No such file or directory", "\(unwritten as Any)")
    }
}
