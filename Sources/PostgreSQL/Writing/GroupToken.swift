import Database

/// The number of a commit group among those of its node. It commits with the group, in the table `node`, so that after
/// a lost connection the node can tell whether the group was committed.
struct GroupToken: Sendable, Equatable {
    /// The node: a random number of the opened database.
    let node: Int64
    let number: Int64

    /// The statement that commits the token with its group.
    ///
    /// - Parameter now: milliseconds since 1970.
    func raising(at now: Int64) -> ServerCommand {
        ServerCommand(
            """
            INSERT INTO node (id, last_group, seen_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET last_group = excluded.last_group, seen_at = excluded.seen_at
            """, [.integer(node), .integer(number), .integer(now)])
    }

    /// Finds out on a new connection whether the group was committed.
    ///
    /// The sequencer row is taken first: a server process that still works for the lost connection holds it until it
    /// has committed or given up. The transaction writes as well, so that its own commit waits for a synchronous
    /// standby, and with it for everything before it in the log.
    func isCommitted(on connection: PostgreSQLConnection, now: Int64) throws -> Bool {
        let warnings = connection.warnings
        let results = try connection.exchange([
            ServerCommand("BEGIN"),
            ServerCommand(IDSequence.lastQuery + " FOR UPDATE"),
            ServerCommand("SELECT last_group FROM node WHERE id = ?1", [.integer(node)]),
            ServerCommand("UPDATE node SET seen_at = ?2 WHERE id = ?1", [.integer(node), .integer(now)]),
            ServerCommand("COMMIT"),
        ])
        try connection.requireCommitted(results.last, warningsBefore: warnings)
        return (results[2].integer ?? 0) >= number
    }
}
