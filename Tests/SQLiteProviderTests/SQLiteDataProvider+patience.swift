import HostDriver
import HostSystem

@testable import SQLiteProvider

extension SQLiteDataProvider {
    /// The maximum time that a test waits for other connections, in milliseconds.
    static let patience = Int32(Patience.limit.components.seconds * 1_000)

    /// Creates a provider whose calls wait longer than any busy machine takes.
    init(patientWith file: String) {
        self.init(file: file, json: FoundationJSONCoder(), timeout: Self.patience)
    }
}
