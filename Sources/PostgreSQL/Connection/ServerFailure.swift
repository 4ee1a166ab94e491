import Database

/// A failure of a statement or of the connection to the server.
enum ServerFailure: Error, CustomStringConvertible {
    /// The server has refused a statement. `sql` is without its arguments.
    case statement(SQLState, message: String, sql: String)
    /// The server has refused a connection. `detail` says what would be right.
    case refused(SQLState, detail: String)
    /// The connection has ended, or the server does not answer. Statements that were sent may have been executed.
    case connectionLost(detail: String)

    var description: String {
        switch self {
        case .statement(let state, let message, let sql): "SQLSTATE \(state): \(message) [\(sql)]"
        case .refused(_, let detail), .connectionLost(let detail): detail
        }
    }

    /// True if one request has caused the failure; its neighbours in a commit group may succeed.
    var isOfRequest: Bool {
        if case .statement(let state, _, _) = self { state.isOfRequest } else { false }
    }

    /// True if the same work may succeed on a new connection.
    var isPassing: Bool {
        switch self {
        case .statement(let state, _, _), .refused(let state, _): state.isPassing
        case .connectionLost: true
        }
    }

    /// True if the server has all the connections that it may have. It serves those who have one.
    var isOfFullServer: Bool {
        if case .refused(.tooManyConnections, _) = self { true } else { false }
    }

    /// The error for callers of the driver.
    func databaseError(notedIn health: StorageHealth? = nil) -> DatabaseError {
        guard case .statement(let state, _, _) = self else { return .storage(detail: description) }
        if state.isDiskFull {
            health?.noteFull()
            return .storageFull(detail: description)
        }
        if state.isCorruption {
            health?.noteCorruption(description)
            return .storageCorrupt(detail: description)
        }
        return .storage(detail: description)
    }
}
