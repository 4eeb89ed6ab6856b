import DataProviders
import HostDriver

extension JSONDataProvider {
    /// Creates a provider whose calls wait for other processes longer than any busy machine takes.
    init(patientWith folder: String) { self.init(folder: folder, trust: nil, timeout: Patience.limit) }
}
