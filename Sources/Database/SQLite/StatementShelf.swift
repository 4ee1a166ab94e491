import GRDB
import Synchronization

/// Prepared statements of one connection, found by the address of their SQL.
///
/// GRDB's cache hashes the text of a statement whenever it is used, in 900 instructions on average. Most statements are
/// constants of the program, which stay where they are: here they are found in 100. Whatever is not here is looked up
/// there, and a statement that GRDB lets go of is gone here, too.
///
/// Proof: it belongs to one connection, which GRDB lets one thread use at a time.
final class StatementShelf: @unchecked Sendable {
    private final class Place {
        let sql: String
        private(set) weak var statement: Statement?

        init(_ sql: String, _ statement: Statement) {
            self.sql = sql
            self.statement = statement
        }
    }

    /// By address; of two statements that would have the same place, the one that was used last has it.
    private var places = [Place?](repeating: nil, count: 512)

    func statement(_ sql: String, of database: Database) throws -> Statement {
        guard let place = place(of: sql) else { return try database.cachedStatement(sql: sql) }
        // Strings of one address and length are equal at first sight.
        if let known = places[place], known.sql == sql, let statement = known.statement { return statement }
        let statement = try database.cachedStatement(sql: sql)
        places[place] = Place(sql, statement)
        return statement
    }

    /// Nil for a short text, which has no address of its own.
    private func place(of sql: String) -> Int? {
        guard sql.utf8.count > 15 else { return nil }
        return sql.utf8.withContiguousStorageIfAvailable { bytes in
            // Constants are aligned to 16 bytes.
            let address = UInt(bitPattern: bytes.baseAddress) >> 4
            return Int((address ^ address >> 9) % UInt(places.count))
        }
    }
}

/// The shelves of a database's connections.
final class StatementShelves: Sendable {
    private let shelves = Mutex<[(connection: ObjectIdentifier, shelf: StatementShelf)]>([])

    /// The shelf of `connection`. One whose address a later connection has got finds nothing and is used on.
    func shelf(of connection: Database) -> StatementShelf {
        let identifier = ObjectIdentifier(connection)
        return shelves.withLock { shelves in
            if let known = shelves.first(where: { $0.connection == identifier }) { return known.shelf }
            let shelf = StatementShelf()
            shelves.append((identifier, shelf))
            return shelf
        }
    }
}
