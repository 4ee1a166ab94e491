import Database

/// A database that hands everything on to another, except what a test changes.
package protocol ForwardingDatabase: GraphDatabase {
    var inner: any GraphDatabase { get }
}

extension ForwardingDatabase {
    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await inner.read(body)
    }

    package func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await inner.write(body)
    }

    package func writeBulk<T: Sendable>(
        outgrows: Bool, _ body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) async throws -> T {
        try await inner.writeBulk(outgrows: outgrows, body)
    }

    package func observe(_ observer: @escaping @Sendable (CommittedGroup) -> Void) { inner.observe(observer) }

    package func awaitOthers(atMost limit: Duration) async { await inner.awaitOthers(atMost: limit) }

    package var hooks: (any DatabaseHooks)? { inner.hooks }
    package var expiryTime: Int64 { inner.expiryTime }
    package var isShared: Bool { inner.isShared }
}
