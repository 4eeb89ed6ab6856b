/// A random key that a transaction stores together with its changes.
///
/// If the connection is lost before the server has answered, the key shows whether the transaction was committed. Whoever
/// looks for a key that is not there stores it as refused. The transaction can then no longer be committed, even if the
/// server executes it only now, because the key is unique.
struct CommitKey: Sendable, Equatable {
    let bytes: [UInt8]

    init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Returns the statement that stores this key, and removes the key of an earlier commit whose answer has arrived.
    func storing(insteadOf old: CommitKey?) -> Statement {
        Statement(
            """
            WITH old AS (DELETE FROM viper_commit WHERE key = $2::bytea) \
            INSERT INTO viper_commit (key, is_refused) VALUES ($1::bytea, false)
            """, [bytes, old?.bytes ?? []])
    }

    /// The statements that refuse the key if it is not there, and return `true` if it is refused.
    ///
    /// The first one waits for the end of a transaction that is storing the key.
    var lookup: [Statement] {
        [
            Statement(
                "INSERT INTO viper_commit (key, is_refused) VALUES ($1::bytea, true) ON CONFLICT DO NOTHING", [bytes]),
            Statement("SELECT is_refused::text FROM viper_commit WHERE key = $1::bytea", [bytes]),
        ]
    }
}
