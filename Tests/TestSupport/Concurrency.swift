/// Runs a closure in the given number of concurrent tasks, and returns their results.
package func atOnce<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable () async -> Value) async -> [Value] {
    await withTaskGroup(of: Value.self) { group in
        for _ in 0..<count { group.addTask(operation: body) }
        var values: [Value] = []
        for await value in group { values.append(value) }
        return values
    }
}
