import HostSystem

extension RegistryReader {
    /// Measures the host.
    package func hostMetrics() async -> Metrics { await BlockingWork.run { [registry] in Metrics(of: registry) } }

    package func metrics() async -> String {
        await BlockingWork.run { [registry] in Metrics(of: registry).openMetrics }
    }
}
