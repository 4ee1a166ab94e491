import Database
import PostgreSQLTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// Reads while the primary is away, of a process that may read a standby.
@Suite(.serialized, .timeLimit(.process))
struct StandbyReadsTests {
    private struct Pair {
        let primary, standby: PostgreSQLServer
        let address: PostgreSQLAddress
        let database: PostgreSQLDatabase
        let standbyReads: StandbyReads

        func entries() async throws -> [String] {
            try await database.read(StandbyReadsTests.texts)
        }
    }

    /// Runs `body` with a primary and a synchronous standby, and a database that knows both.
    private static func withPair(_ body: (Pair) async throws -> Void) async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            let address = try PostgreSQLAddress(parsing: url)
            let standbyReads = StandbyReads()
            var options = PostgreSQLOptions()
            options.standbyReads = standbyReads
            // Reads that are to fail take the patience, within which all else is done even on a busy machine.
            (options.timeouts.silence, options.timeouts.connecting) = (.seconds(2), .seconds(5))
            options.timeouts.patience = .seconds(10)
            let chosen = options
            let database = try await onThread {
                try PostgreSQLDatabase(address: address, options: chosen, schema: .sample)
            }
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await body(
                        Pair(
                            primary: primary, standby: standby, address: address, database: database,
                            standbyReads: standbyReads)))
            } catch {
                result = .failure(error)
            }
            try await onThread { database.close() }
            try result.get()
        }
    }

    @Test func `a standby is read only while that is allowed`() async throws {
        try await Self.withPair { pair in
            try await pair.database.writeEntry("kept")
            await pair.primary.kill()
            await #expect(throws: DatabaseError.self) { try await pair.entries() }
            pair.standbyReads.allow { 0 }
            var entries: [String]?
            // The standby may not have replayed the entry yet.
            while entries == nil { entries = try? await pair.entries() }
            #expect(entries == ["kept"])
            pair.standbyReads.allow { nil }
            await #expect(throws: DatabaseError.self) { try await pair.entries() }
            try await pair.standby.execute("SELECT pg_promote()::text")
            var promoted: [String]?
            while promoted == nil { promoted = try? await pair.entries() }
            #expect(promoted == ["kept"])
        }
    }

    @Test func `a standby that lacks what this process has committed is not read`() async throws {
        try await Self.withPair { pair in
            try await pair.database.writeEntry("first")
            try await pair.standby.execute("SELECT pg_wal_replay_pause()::text")
            try await pair.database.writeEntry("second")
            await pair.primary.kill()
            pair.standbyReads.allow { 0 }
            await #expect(throws: DatabaseError.self) { try await pair.entries() }
            try await pair.standby.execute("SELECT pg_wal_replay_resume()::text")
            var entries: [String]?
            while entries == nil { entries = try? await pair.entries() }
            #expect(entries == ["first", "second"])
        }
    }

    @Test func `a standby that lacks what others have committed is not read`() async throws {
        try await Self.withPair { pair in
            let places = Taken()
            pair.database.observe { group in
                if let last = group.sequence?.upperBound { places.note(last) }
            }
            try await pair.database.writeEntry("first")
            // Not read: a reader's connection may still be answered for a moment after its postmaster was killed.
            let known = try #require(places.all.last)
            await pair.primary.kill()
            pair.standbyReads.allow { known + 1 }
            await #expect(throws: DatabaseError.self) { try await pair.entries() }
            pair.standbyReads.allow { known }
            var entries: [String]?
            while entries == nil { entries = try? await pair.entries() }
            #expect(entries == ["first"])
        }
    }

    @Test func `a server that calls itself the primary is not read either if it lacks what is known`() async throws {
        try await Self.withPair { pair in
            try await pair.database.writeEntry("kept")
            #expect(try await pair.entries() == ["kept"])
            pair.standbyReads.allow { .max }
            await #expect(throws: DatabaseError.self) { try await pair.entries() }
            pair.standbyReads.allow { nil }
            var entries: [String]?
            while entries == nil { entries = try? await pair.entries() }
            #expect(entries == ["kept"])
        }
    }

    private static let texts: @Sendable (any SQLReader) throws -> [String] = { reader in
        try reader.rows("SELECT text FROM entry ORDER BY id", []) { $0.text(0) }
    }

    @Test func `a standby that lags behind is passed over for another`() async throws {
        try await Self.withPair { pair in
            var setup = PostgreSQLServer.Setup()
            setup.primary = pair.primary
            try await PostgreSQLServer.running(setup) { fresh in
                try await pair.database.writeEntry("first")
                try await pair.standby.execute("SELECT pg_wal_replay_pause()::text")
                try await pair.database.writeEntry("second")
                let name = try #require(pair.address["dbname"])
                let hosts = [pair.standby, fresh].map(\.directory).joined(separator: ",")
                let standbyReads = StandbyReads()
                let place = try await pair.database.read { reader in
                    try reader.first("SELECT max(seq) FROM change", []) { $0.integer(0) }
                }
                standbyReads.allow { place }
                let source = ConnectionSource(
                    address: try PostgreSQLAddress(parsing: "postgres://graphd@/\(name)?host=\(hosts)"),
                    timeouts: .tests, noteRoundTrip: {})
                let pool = ReaderPool(source, count: 2, standbyReads: standbyReads)
                defer { pool.close() }
                // The other standby may not have replayed the entry yet.
                var entries: [String]?
                while entries == nil {
                    entries = try? await pool.read(Self.texts)
                }
                #expect(entries == ["first", "second"])
                try await pair.standby.execute("SELECT pg_wal_replay_resume()::text")
            }
        }
    }
}
