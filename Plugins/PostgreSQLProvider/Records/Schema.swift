/// The tables in which the provider keeps records.
///
/// An ID is a `bytea`, because PostgreSQL's texts cannot contain NUL characters. Its digest is indexed, because an index
/// refuses long values. `json` is the record exactly as it was encoded. `value` is the same record for queries, or NULL if
/// a text in it has a NUL character, which `jsonb` refuses.
enum Schema {
    /// The statement that counts the tables that exist. A user that may not create tables can use existing ones.
    static let count = Statement("SELECT count(to_regclass('viper_record')) + count(to_regclass('viper_commit'))")

    /// The statements that create missing tables. Several hosts may run them at the same time.
    static let creation = [
        "BEGIN",
        // `IF NOT EXISTS` alone fails if two transactions create the same table. The number is arbitrary.
        "SELECT pg_advisory_xact_lock(5642809483567427)",
        """
        CREATE TABLE IF NOT EXISTS viper_record (
            position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            collection text NOT NULL, id bytea NOT NULL, json text NOT NULL,
            value jsonb GENERATED ALWAYS AS (CASE WHEN strpos(json, '\\u0000') = 0 THEN json::jsonb END) STORED)
        """,
        "CREATE UNIQUE INDEX IF NOT EXISTS viper_record_id ON viper_record (collection, sha256(id))",
        "CREATE INDEX IF NOT EXISTS viper_record_order ON viper_record (collection, position)",
        "CREATE INDEX IF NOT EXISTS viper_record_plain ON viper_record (collection) WHERE value IS NULL",
        """
        CREATE TABLE IF NOT EXISTS viper_commit (
            key bytea PRIMARY KEY, is_refused boolean NOT NULL, time timestamptz NOT NULL DEFAULT now())
        """,
        "COMMIT",
    ].map { Statement($0, isKept: false) }

    /// The statement that removes the keys of hosts that have ended without a next commit.
    static let expiry = Statement("DELETE FROM viper_commit WHERE time < now() - interval '1 day'", isKept: false)
}
