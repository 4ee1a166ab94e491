import CommandSupport
import Database
import Logging

/// The sole use of a database on a server, which no graphd serves meanwhile.
package struct SoleUse: Sendable {
    private let lease: HeldLease

    /// Takes the database.
    ///
    /// - Parameters:
    ///   - name: the name of the database, for messages.
    ///   - work: the work that needs it, for messages, such as "the copy".
    /// - Throws: ``CommandFailure`` if a graphd serves the database.
    static func take(_ database: any GraphDatabase, named name: String, before work: String) async throws -> SoleUse {
        let served = CommandFailure("A graphd serves \(name). Stop it before \(work).")
        do {
            let lease = try await LeaseStore(database: database).take(DatabaseServer.leaseName, from: .mayLive)
            guard try await NodeStore(database: database).livingShared(except: nil).isEmpty else {
                try await lease.release()
                throw served
            }
            return SoleUse(lease: lease)
        } catch is LeaseHeld {
            throw served
        }
    }

    /// Runs `body` while no graphd serves the database of a data directory.
    ///
    /// - Parameters:
    ///   - server: the server with the database; nil for a file, for which the lock of its directory is enough.
    ///   - work: the work, for messages, such as "the copy".
    /// - Throws: ``CommandFailure`` if a graphd serves the database.
    package static func during<T>(
        _ work: String, of database: any GraphDatabase, on server: DatabaseServer?, _ body: () async throws -> T
    ) async throws -> T {
        guard let server else { return try await body() }
        let use = try await take(database, named: "the database \(server.address)", before: work)
        let result: Result<T, any Error>
        do { result = .success(try await use.whileRenewing(body)) } catch { result = .failure(error) }
        await use.release()
        return try result.get()
    }

    /// Runs `body` while the lease is renewed.
    ///
    /// - Throws: ``CommandFailure`` if another graphd may have used the database meanwhile.
    func whileRenewing<T>(_ body: () async throws -> T) async throws -> T {
        // Owner: this function, which cancels it.
        let renewal = Task { [lease] in try await LeaseKeeper(lease: lease, logger: .silent).run() }
        defer { renewal.cancel() }
        let value = try await body()
        guard lease.isHeld else {
            throw CommandFailure(
                "The database was away for so long that another graphd may have used it. Repeat the command.")
        }
        return value
    }

    /// Lets others serve the database at once. Without it, they wait for the end of the lease.
    func release() async { try? await lease.release() }
}
