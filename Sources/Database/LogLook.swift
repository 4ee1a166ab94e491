/// A look at what is committed at one moment: the end of the change log, and the state of the stored windows.
package struct LogLook: Sendable {
    /// The place of the latest change; 0 in an empty log.
    package let latest: Int64
    /// The number of changes of the settings that say where windows are, ``SettingStore/windowsVersion``.
    package let windows: Int64

    /// The query for ``latest``.
    package static let latestQuery = "SELECT seq FROM change ORDER BY seq DESC LIMIT 1"
    package static var query: SQLQuery { SQLQuery(latestQuery, []) }

    /// The query for ``windows``, a row of which ``windows(_:)`` reads.
    package static var windowsQuery: SQLQuery { SettingStore.Reader.query(SettingStore.windowsVersion) }
    package static func windows(_ row: any SQLRow) -> Int64 { Int64(row.text(0)) ?? 0 }
}

extension LogLook {
    /// The query for both numbers, in one statement.
    private static let queryForBoth = SQLQuery(
        "SELECT (\(latestQuery)), (\(windowsQuery.sql))", windowsQuery.arguments)

    fileprivate static func query(followingWindows: Bool) -> SQLQuery { followingWindows ? queryForBoth : query }

    /// - Parameter row: of the query; nil: it has none.
    fileprivate init(_ row: (any SQLRow)?, followingWindows: Bool) {
        latest = row?.optionalInteger(0) ?? 0
        windows = followingWindows ? row?.optionalText(1).flatMap { Int64($0) } ?? 0 : 0
    }
}

extension GraphDatabase {
    /// Looks at the log, and at the state of the windows if they are followed.
    ///
    /// - Parameter isAlone: one caller waits for it.
    package func look(followingWindows: Bool, isAlone: Bool) async throws -> LogLook {
        let query = LogLook.query(followingWindows: followingWindows)
        let look = try await first(query, isAlone: isAlone) { LogLook($0, followingWindows: followingWindows) }
        return look ?? LogLook(nil, followingWindows: followingWindows)
    }
}
