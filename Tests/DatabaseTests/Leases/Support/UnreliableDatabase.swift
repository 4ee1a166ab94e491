import Database
import Synchronization
import TestSupport

/// The database as a node reaches it that may be stopped or cut off, before or after what it asks for is done.
final class UnreliableDatabase: ForwardingDatabase {
    enum Fault: CaseIterable {
        case before, after
    }

    let inner: any GraphDatabase
    private let node: Int
    private let time: SimulatedTime
    private let fault = Mutex<Fault?>(nil)
    private let calls = Mutex(0)

    init(_ inner: any GraphDatabase, of node: Int, in time: SimulatedTime) {
        (self.inner, self.node, self.time) = (inner, node, time)
    }

    /// Number of calls that the database has not answered.
    var pendingCalls: Int { calls.withLock { $0 } }

    func use(_ fault: Fault?) { self.fault.withLock { $0 = fault } }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        try await call { try await self.inner.read(body) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        try await call { try await self.inner.write(body) }
    }

    private func call<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        try? await time.pause(node, for: 0)
        let fault = self.fault.withLock { $0 }
        if fault == .before { throw DatabaseError.storage(detail: "not reached") }
        calls.withLock { $0 += 1 }
        let result: Result<T, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        calls.withLock { $0 -= 1 }
        try? await time.pause(node, for: 0)
        if fault == .after { throw DatabaseError.storage(detail: "connection lost") }
        return try result.get()
    }
}
