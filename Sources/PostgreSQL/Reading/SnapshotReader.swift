import Database

/// Reads on one snapshot, which begins with the first query and travels with it, or without one.
final class SnapshotReader: SQLReader {
    private static let begin = ServerCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    private let session: ReaderSession
    private let isOnSnapshot: Bool
    private let isCancelled: () -> Bool
    private var hasBegun = false

    init(_ session: ReaderSession, onSnapshot isOnSnapshot: Bool = true, isCancelled: @escaping () -> Bool) {
        self.session = session
        self.isOnSnapshot = isOnSnapshot
        self.isCancelled = isCancelled
    }

    var text: any TextSearch { ServerTextSearch(reader: self) }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ row: (any SQLRow) throws -> Bool) throws {
        try exchange([ServerCommand(sql, arguments)])[0].forEachRow(row)
    }

    func fetch(_ queries: [SQLQuery], _ row: (Int, any SQLRow) throws -> Bool) throws {
        if queries.isEmpty { return }
        let results = try exchange(queries.map(ServerCommand.init))
        for (index, result) in results.enumerated() { try result.forEachRow { try row(index, $0) } }
    }

    private func exchange(_ commands: [ServerCommand]) throws -> [ServerResult] {
        if isCancelled() { throw CancellationError() }
        if hasBegun { return try session.exchange(commands) }
        let results = try session.exchangeFirst(isOnSnapshot ? Self.begin : nil, commands)
        hasBegun = isOnSnapshot
        return Array(results)
    }

    /// Ends the snapshot. Nobody waits for that.
    func end() {
        if hasBegun { session.post([ServerCommand("COMMIT")]) }
    }
}
