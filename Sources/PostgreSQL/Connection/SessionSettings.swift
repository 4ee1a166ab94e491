/// The settings of a session, sent with the request to connect, so that they cost no round trip.
///
/// The planner is told to walk indexes in their order, as SQLite does: pages by keyset read a few rows from the start
/// of an index, and a plan that reads and sorts everything is never right for them. Such a plan is still chosen where
/// no index serves the statement. Generic plans are made once for each statement and connection; a plan for each set of
/// arguments would cost more than most statements do.
enum SessionSettings {
    private static let planner = [
        ("enable_seqscan", "off"),
        ("enable_bitmapscan", "off"),
        ("enable_hashjoin", "off"),
        ("enable_mergejoin", "off"),
        ("enable_sort", "off"),
        ("plan_cache_mode", "force_generic_plan"),
        ("jit", "off"),
        ("max_parallel_workers_per_gather", "0"),
    ]

    /// The value of the connection parameter `options`.
    static func options(_ role: PostgreSQLConnection.Role, _ timeouts: PostgreSQLTimeouts) -> String {
        var settings = planner
        settings.append(("statement_timeout", "\(timeouts.statement.milliseconds)"))
        if role == .writer {
            settings.append(("idle_in_transaction_session_timeout", "\(timeouts.idleWriter.milliseconds)"))
            // The server finds out that the machine of a node with the lock on the sequencer row is gone, or that the
            // node has stopped while it is sent to.
            settings += [
                ("tcp_keepalives_idle", "2"), ("tcp_keepalives_interval", "1"), ("tcp_keepalives_count", "3"),
                ("tcp_user_timeout", "\(timeouts.unacknowledged.milliseconds)"),
            ]
        }
        return settings.map { "-c \($0.0)=\($0.1)" }.joined(separator: " ")
    }
}
