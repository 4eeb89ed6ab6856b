import Glibc
import HostSystem
import ModuleCatalog
import ViperKit

/// The numbers of a host, for a program that watches it.
package struct Metrics: Sendable, Equatable, Codable {
    /// The calls to one route of a module, in all its generations.
    package struct Calls: Sendable, Equatable, Codable {
        package var module: String
        package var route: String
        package var calls: Int
        package var failures: Int
        /// The total duration of all calls, in seconds.
        package var seconds: Double
        /// The number of calls by duration; see ``CallCount/Numbers/durations``.
        package var durations: [Int]
    }

    /// A module in the registry.
    package struct Module: Sendable, Equatable, Codable {
        package var module: String
        package var state: String
        /// The number of calls that have not returned.
        package var runningCalls: Int
        package var openScenes: Int
        /// The number of generations that were created.
        package var generations: Int
        /// The number of retired generations that are still in use, or whose libraries stay loaded in this process.
        package var retired: Int
        /// The resident memory that the libraries of retired generations use, in bytes.
        package var retiredMemory: Int
        /// The resident memory of the module's worker, in bytes. Nil if no worker is running.
        package var workerMemory: Int?
        /// True if the module needs a step, such as the trial of a library.
        package var isPending: Bool
        /// True if the module is refused because its library is quarantined.
        package var isQuarantined: Bool
    }

    package var modules: [Module]
    package var calls: [Calls]
    /// The resident memory of the host's process, in bytes.
    package var memory: Int

    /// Measures the modules in a registry. Reads files of `/proc`.
    init(of registry: Registry) {
        let (records, images) = (registry.snapshot.modules, ImageMemory())
        modules = records.map { record in
            let history = record.history
            return Module(
                module: record.name, state: record.state.name, runningCalls: history.runningCalls,
                openScenes: history.openScenes, generations: history.generations, retired: history.retired,
                retiredMemory: images.ofRetired(record),
                workerMemory: record.generation?.process.map(Self.memory), isPending: record.pending != nil,
                isQuarantined: record.state.refusal?.code == .libraryQuarantined)
        }
        calls = records.flatMap { record in
            record.history.routes.sorted { $0.key < $1.key }.map { route, numbers in
                Calls(
                    module: record.name, route: route, calls: numbers.calls, failures: numbers.failures,
                    seconds: numbers.time / .seconds(1), durations: numbers.durations)
            }
        }
        memory = Self.memory(of: Int(getpid()))
    }

    private static func memory(of process: Int) -> Int {
        guard let memory = MemoryUse(of: pid_t(process)) else { return 0 }
        defer { memory.close() }
        return memory.resident
    }
}
