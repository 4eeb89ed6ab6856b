import Glibc
import HostSystem
import ModuleCatalog
import ViperKit

/// The numbers of a host, for monitoring.
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
        let images = ImageMemory()
        // Several manifests can have one name. At most one of them is usable.
        let groups = Dictionary(grouping: registry.snapshot.modules, by: \.name).sorted { $0.key < $1.key }
        modules = groups.map { name, records in
            let record = records.first(where: \.state.isUsable) ?? records[0]
            func sum(_ number: (ModuleRecord) -> Int) -> Int { records.reduce(0) { $0 + number($1) } }
            return Module(
                module: name, state: record.state.name, runningCalls: sum(\.history.runningCalls),
                openScenes: sum(\.history.openScenes), generations: sum(\.history.generations),
                retired: sum(\.history.retired), retiredMemory: sum(images.ofRetired),
                workerMemory: record.generation?.process.map(Self.memory), isPending: record.pending != nil,
                isQuarantined: record.state.refusal?.code == .libraryQuarantined)
        }
        calls = groups.flatMap { name, records in
            let routes = records.reduce(into: [:]) { $0.merge($1.history.routes, uniquingKeysWith: +) }
            return routes.sorted { $0.key < $1.key }.map { route, numbers in
                Calls(
                    module: name, route: route, calls: numbers.calls, failures: numbers.failures,
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
