import GRDB
import Synchronization

/// Prepared statements of one connection, found by the address of their SQL.
///
/// GRDB's cache hashes the text of a statement at every use, in 900 instructions on average. Most statements are
/// constants of the program, which keep their address; the cache finds them in 100 instructions. Other statements are
/// looked up in GRDB's cache. A statement that GRDB releases is gone from the cache, too.
///
/// A cache for each transaction would need no proof, and costs lone acts 11 to 17 % more instructions. Debug builds
/// stop where two threads are in ``statement(_:of:)``, which alone touches ``places``.
final class StatementCache: @unchecked Sendable {  // Proof: GRDB serialises the accesses to one connection.
    private final class Place {
        let sql: String
        private(set) weak var statement: Statement?

        init(_ sql: String, _ statement: Statement) {
            self.sql = sql
            self.statement = statement
        }
    }

    /// Statements by address; of two with the same place, the one used last has it.
    private var places = [Place?](repeating: nil, count: 512)
    /// True while a thread is in ``statement(_:of:)``, in debug builds.
    private let isInUse = Atomic(false)

    func statement(_ sql: String, of database: Database) throws -> Statement {
        assert(!isInUse.exchange(true, ordering: .acquiring), "two threads use one connection")
        defer { assert(isInUse.exchange(false, ordering: .releasing)) }
        guard let place = place(of: sql) else { return try database.cachedStatement(sql: sql) }
        // Strings of the same address and length are equal without a comparison of their bytes.
        if let known = places[place], known.sql == sql, let statement = known.statement { return statement }
        let statement = try database.cachedStatement(sql: sql)
        places[place] = Place(sql, statement)
        return statement
    }

    /// The place of a statement; nil for a short text, which has no address of its own.
    private func place(of sql: String) -> Int? {
        guard sql.utf8.count > 15 else { return nil }
        return sql.utf8.withContiguousStorageIfAvailable { bytes in
            // Constants are aligned to 16 bytes.
            let address = UInt(bitPattern: bytes.baseAddress) >> 4
            return Int((address ^ address >> 9) % UInt(places.count))
        }
    }
}

/// The caches of a database's connections.
final class StatementCaches: Sendable {
    private let caches = Mutex<[(connection: ObjectIdentifier, cache: StatementCache)]>([])

    /// The cache of `connection`. If a later connection has the address of an earlier one, it finds nothing in that
    /// cache and reuses it.
    func cache(of connection: Database) -> StatementCache {
        let identifier = ObjectIdentifier(connection)
        return caches.withLock { caches in
            if let known = caches.first(where: { $0.connection == identifier }) { return known.cache }
            let cache = StatementCache()
            caches.append((identifier, cache))
            return cache
        }
    }
}
