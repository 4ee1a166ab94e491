/// Durations that bound waiting for a server.
package struct PostgreSQLTimeouts: Sendable, Equatable {
    /// Bounds one attempt to connect, the handshake included.
    package var connecting: Duration = .seconds(3)
    /// `statement_timeout`, after which the server ends a statement.
    package var statement: Duration = .seconds(30)
    /// Bounds the silence of the server while an answer is due. It exceeds ``statement``, so that a server that is
    /// merely slow reports the end of the statement itself.
    package var answer: Duration = .seconds(35)
    /// The silence of the server, while an answer is due, after which it is asked on another connection whether it
    /// still accepts any.
    package var silence: Duration = .seconds(3)
    /// `idle_in_transaction_session_timeout` of the writer, after which the server ends a transaction whose node has
    /// stopped, and with it the lock on the sequencer row.
    package var idleWriter: Duration = .seconds(2)
    /// Bounds how long a caller waits while the server is away.
    package var patience: Duration = .seconds(10)
    /// Bounds how long sent data may stay unacknowledged (`tcp_user_timeout`).
    package var unacknowledged: Duration = .seconds(5)

    package init() {}

    /// Time-outs for a change of tables, which takes as long as it takes. A silent server is still asked whether it
    /// lives.
    var withoutLimits: PostgreSQLTimeouts {
        var timeouts = self
        // 0 stands for no limit.
        timeouts.statement = .zero
        timeouts.answer = .seconds(365 * 86_400)
        return timeouts
    }

    func assertConsistency() {
        precondition(statement < answer, "the server must end a slow statement before the client gives up")
        precondition(silence + connecting < patience, "a caller must outlast the discovery that the server is away")
    }
}

extension Duration {
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
