import Foundation

/// The number of threads that this process has. Only an exit test's process has none but its own.
func threadCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }

/// More threads than a process has that runs tests and waits for nothing.
let manyThreads = 40
