import Foundation

/// Returns the number of threads of this process. Use this function in an exit test, because other processes also have
/// the threads of other tests.
package func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
}

/// A number of threads that a test process exceeds only if calls block threads.
package let manyThreads = 40
