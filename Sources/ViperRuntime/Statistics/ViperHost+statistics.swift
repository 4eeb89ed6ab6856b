import HostSystem
import ModuleCatalog
import ModuleIsolation
package import ModuleRuntime

extension ViperHost {
    /// Measures the host, for monitoring.
    package func metrics() async -> Metrics { await modules.reader.hostMetrics() }

    /// Returns the statistics for all modules, sorted by name.
    package func statistics() async -> [ModuleStatistics] {
        let memory = await BlockingWork.run { ImageMemory() }
        var statistics: [ModuleStatistics] = []
        for record in registry.snapshot.modules {
            let (history, numbers) = (record.history, record.history.numbers)
            let isIsolated = record.manifest.map { activator.codes.isIsolated($0) } ?? false
            statistics.append(
                ModuleStatistics(
                    module: record.name, state: record.state.name, generation: record.generation?.number,
                    isolation: (isIsolated ? Manifest.Isolation.process : .none).rawValue,
                    process: record.generation?.process, run: record.run,
                    generations: history.generations, loads: history.loads, openScenes: history.openScenes,
                    calls: numbers.calls, failures: numbers.failures, seconds: numbers.time / .seconds(1),
                    retired: history.retired, retiredMemory: memory.ofRetired(record)))
        }
        return statistics
    }
}
