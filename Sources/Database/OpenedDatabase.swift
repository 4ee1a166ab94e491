/// A database as the process sees it that has opened it and will close it.
package protocol OpenedDatabase: GraphDatabase {
    /// The state of the storage, as found by the statements that ran.
    var health: StorageHealth { get }

    /// Runs `body` on one consistent snapshot, on the calling thread. Blocks.
    func readNow<T>(_ body: (any SQLReader) throws -> T) throws -> T

    /// A check of every page; nil for a server, which checks its own pages (`pg_amcheck`, checksums).
    func corruptionCheck() -> CorruptionCheck?

    /// Commits what is under way, refuses what waits, and closes all connections. Blocks.
    func close() throws
}

extension OpenedDatabase {
    /// The last time that the database has seen; nil if it has seen none. Blocks.
    ///
    /// - Parameter wall: milliseconds since 1970; a newer id does not count.
    package func clockMark(before wall: Int64) throws -> SteadyClock.Mark? {
        try readNow { try ClockStore.Reader($0).clockMark(before: wall) }
    }

    package func corruptionCheck() -> CorruptionCheck? { nil }
}
