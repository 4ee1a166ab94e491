/// A look at what is committed at one moment: the end of the change log, and the state of the stored windows.
package struct LogLook: Sendable {
    /// The place of the latest change; 0 in an empty log.
    package fileprivate(set) var latest: Int64 = 0
    /// The number of changes of the settings that say where windows are, ``SettingStore/windowsVersion``.
    package fileprivate(set) var windows: Int64 = 0

    /// The query for ``latest``.
    package static let latestQuery = "SELECT seq FROM change ORDER BY seq DESC LIMIT 1"
    package static var query: SQLQuery { SQLQuery(latestQuery, []) }

    /// The query for ``windows``, a row of which ``windows(_:)`` reads.
    package static var windowsQuery: SQLQuery { SettingStore.Reader.query(SettingStore.windowsVersion) }
    package static func windows(_ row: any SQLRow) -> Int64 { Int64(row.text(0)) ?? 0 }
}

extension GraphDatabase {
    /// Looks at the log, and then at the state of the windows if they are followed, which may be of a later moment.
    package func look(followingWindows: Bool) async throws -> LogLook {
        let queries = [LogLook.query] + (followingWindows ? [LogLook.windowsQuery] : [])
        return try await readCommitted { reader in
            var look = LogLook()
            try reader.fetch(queries) { index, row in
                if index == 0 { look.latest = row.integer(0) } else { look.windows = LogLook.windows(row) }
                return true
            }
            return look
        }
    }
}
