import Database
import Synchronization

/// A database that fails all bulk writes after some.
final class InterruptedDatabase: GraphDatabase {
    struct Interruption: Error {}

    private let inner: any GraphDatabase
    private let left: Mutex<Int>

    init(_ inner: any GraphDatabase, writes: Int) {
        self.inner = inner
        left = Mutex(writes)
    }

    private func count() throws {
        try left.withLock { left in
            guard left > 0 else { throw Interruption() }
            left -= 1
        }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write(body)
    }

    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try count()
        return try await inner.writeBulk(outgrows: outgrows, body)
    }

    func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { inner.observe(observer) }

    var hooks: (any DatabaseHooks)? { inner.hooks }
    var expiryTime: Int64 { inner.expiryTime }
}

/// A database that changes a row after it was copied.
struct AlteringDatabase: GraphDatabase {
    private let inner: any GraphDatabase

    init(_ inner: any GraphDatabase) { self.inner = inner }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write(body)
    }

    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.writeBulk(outgrows: outgrows) { transaction in
            let value = try body(transaction)
            try transaction.execute("UPDATE account SET created_at = created_at + 1 WHERE username = 'reader1'", [])
            return value
        }
    }

    func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { inner.observe(observer) }

    var hooks: (any DatabaseHooks)? { inner.hooks }
    var expiryTime: Int64 { inner.expiryTime }
}

/// A database that stays open.
struct KeptOpen: OpenedDatabase {
    private let inner: any OpenedDatabase

    init(_ inner: any OpenedDatabase) { self.inner = inner }

    var health: StorageHealth { inner.health }
    var hooks: (any DatabaseHooks)? { inner.hooks }
    var expiryTime: Int64 { inner.expiryTime }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write(body)
    }

    func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.writeBulk(outgrows: outgrows, body)
    }

    func readNow<T>(_ body: (any SQLReader) throws -> T) throws -> T { try inner.readNow(body) }
    func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { inner.observe(observer) }
    func close() {}
}
