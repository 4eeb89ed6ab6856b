/// What there is to count.
extension ViperHost {
    /// The numbers of every module, sorted by name.
    public func statistics() -> [ModuleStatistics] {
        let memory = ImageMemory()
        return registry.snapshot.modules.map { record in
            let (history, numbers) = (record.history, record.history.calls.numbers)
            let code = record.generation?.code
            return ModuleStatistics(
                module: record.name, state: record.state.name, generation: record.generation?.number,
                isolation: (record.manifest?.isolation ?? .none).rawValue, process: nil,
                generations: history.generations, loads: history.loads, openScenes: history.openScenes,
                calls: numbers.calls, failures: numbers.failures, seconds: numbers.time / .seconds(1),
                retired: history.retired,
                retiredMemory: history.images.filter { $0 != code?.image }.reduce(0) { $0 + memory.bytes(of: $1) })
        }
    }
}
