import FoundationEssentials
import ViperKit

/// The last list of todos, for use without network. It is stored while the module runs in a serving host.
struct KeptTodos: Sendable {
    private static let file = "todos.json"

    let store: any TodoStoring
    private let lists = AsyncStream.makeStream(of: TodoList.self, bufferingPolicy: .bufferingNewest(1))

    init(store: any TodoStoring) { self.store = store }

    /// Notes a list, which ``run()`` stores. The caller does not wait for the file.
    func keep(_ list: TodoList) { lists.continuation.yield(list) }

    /// Stores each list that is kept, until the task is cancelled. If several lists are waiting, stores the last one.
    func run() async throws(ViperError) {
        for await var list in lists.stream {
            list.keptAt = Date.now.formatted(.iso8601)
            try await store.write(list, to: Self.file)
        }
    }

    /// Returns the kept list of a source, or nil if the kept list has another source.
    func list(of source: TodoSource) async throws(ViperError) -> TodoList? {
        let list = try await store.read(TodoList.self, from: Self.file)
        return list?.source == source ? list : nil
    }
}
