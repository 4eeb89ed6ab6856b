import HostDriver
import HostSystem
import ViperKit
import ViperTesting

@testable import PostgreSQLProvider

extension PostgreSQLDataProvider {
    /// Creates a provider whose calls wait longer than any busy machine takes.
    init(
        patientWith connection: String, json: any JSONCoder = FoundationJSONCoder(),
        logger: any Logger = RecordingLogger(), pool: Int = 4
    ) throws {
        self.init(try ConnectionString(connection), json: json, logger: logger, pool: pool, timeout: Patience.limit)
    }
}
