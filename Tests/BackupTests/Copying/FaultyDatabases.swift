import Database
import Synchronization
import TestSupport

/// A database that fails all bulk writes after some.
final class InterruptedDatabase: ForwardingDatabase {
    struct Interruption: Error {}

    let inner: any GraphDatabase
    private let left: Mutex<Int>

    init(_ inner: any GraphDatabase, writes: Int) {
        self.inner = inner
        left = Mutex(writes)
    }

    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try left.withLock { left in
            guard left > 0 else { throw Interruption() }
            left -= 1
        }
        return try await inner.writeBulk(outgrows: outgrows, body)
    }
}

/// A database that changes a row after it was copied.
struct AlteringDatabase: ForwardingDatabase {
    let inner: any GraphDatabase

    init(_ inner: any GraphDatabase) { self.inner = inner }

    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.writeBulk(outgrows: outgrows) { transaction in
            let value = try body(transaction)
            try transaction.execute("UPDATE account SET created_at = created_at + 1 WHERE username = 'reader1'", [])
            return value
        }
    }
}
