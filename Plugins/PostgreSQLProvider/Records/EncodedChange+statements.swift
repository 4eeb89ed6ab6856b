import ViperKit

extension EncodedChange {
    /// The statement that makes this change.
    ///
    /// If there is no record to replace or delete, the statement divides by zero. The error rolls the transaction back
    /// without another round trip.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the kind of change is unknown.
    var statement: Statement {
        get throws(ViperError) {
            let key = [Array(collection.utf8), Array(id.utf8)]
            let place = "WHERE collection = $1::text AND sha256(id) = sha256($2::bytea)"
            return switch kind {
            case .insert:
                Statement(
                    "INSERT INTO viper_record (collection, id, json) VALUES ($1::text, $2::bytea, $3::text)",
                    key + [json])
            case .replace:
                Statement(
                    """
                    WITH found AS (UPDATE viper_record SET json = $3::text \(place) RETURNING 1) \
                    SELECT 1 / count(*) FROM found
                    """, key + [json])
            case .delete:
                Statement(
                    "WITH found AS (DELETE FROM viper_record \(place) RETURNING 1) SELECT 1 / count(*) FROM found", key)
            default: throw unknownKindError
            }
        }
    }

    /// Returns the error of this change for an error of its statement. Nil if the database caused the error.
    func failure(_ failure: PostgreSQLFailure) -> ViperError? {
        if failure.isExistingKey {
            return ViperError(
                .recordExists, operation: operation, subject: id,
                cause: "the collection \"\(collection)\" already has a record with this id",
                fix: "replace that record, or use another id")
        }
        if failure.isMissingRecord {
            return ViperError(
                .recordMissing, operation: operation, subject: id,
                cause: "the collection \"\(collection)\" has no record with this id")
        }
        guard failure.isOfValue else { return nil }
        return ViperError(
            .recordInvalid, operation: operation, subject: id, cause: failure.message,
            notes: [.init("collection", collection), .init("SQLSTATE", failure.state)])
    }
}
