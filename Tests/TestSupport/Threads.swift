import Foundation

/// Returns the number of threads of this process. Only the process of an exit test has no threads of other tests.
package func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}

/// More threads than a test process has without blocked calls.
package let manyThreads = 40
