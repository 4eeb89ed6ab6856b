public import HostDriver

/// A PostgreSQL server that all tests share which neither stop nor fill it.
public enum SharedPostgreSQL {
    private static let started = Task { try await PostgreSQLServer() }

    /// Returns the server. Starts it at the first call. Skips the test if PostgreSQL is missing.
    public static func server() async throws -> PostgreSQLServer {
        try await Requirement.postgreSQL.check()
        return try await started.value
    }

    /// Creates a database, and returns its connection string.
    public static func database() async throws -> String { try await server().database() }
}
