import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Opening a database whose address names a primary and a standby.
@Suite(.serialized, .timeLimit(.process))
struct SeveralHostsTests {
    private static func options() -> PostgreSQLOptions {
        var options = PostgreSQLOptions()
        // Openings that are to fail take the patience, within which the others succeed even on a busy machine.
        (options.timeouts.silence, options.timeouts.connecting) = (.seconds(2), .seconds(5))
        options.timeouts.patience = .seconds(10)
        return options
    }

    private static func open(_ url: String, _ schema: DatabaseSchema = .sample) async throws {
        let address = try PostgreSQLAddress(parsing: url)
        let database = try await onThread {
            try PostgreSQLDatabase(address: address, options: options(), schema: schema)
        }
        try await onThread { database.close() }
    }

    private static func refusal(of url: String, _ schema: DatabaseSchema = .sample) async -> String {
        let error = await #expect(throws: DatabaseError.self) { try await open(url, schema) }
        return error.map { "\($0)" } ?? ""
    }

    @Test func `the primary is found behind a standby, as after a promotion`() async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            let hosts = ["\(primary.directory),\(standby.directory)", "\(standby.directory),\(primary.directory)"]
            for order in hosts {
                for wanted in ["&target_session_attrs=read-write", ""] {
                    let reordered = url.replacing(hosts[0], with: order)
                        .replacing("&target_session_attrs=read-write", with: wanted)
                    try await Self.open(reordered)
                    let address = try PostgreSQLAddress(parsing: reordered)
                    let examination = try await onThread {
                        try ServerExamination(of: address, now: 0, timeouts: .tests)
                    }
                    #expect(examination.version.hasPrefix("1"))
                }
            }
        }
    }

    @Test func `while the primary is down, the standby is not refused as a wrong address`() async throws {
        let wrongAddress = "give the address of the primary"
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await Self.open(url)
            let alone = url.replacing("\(primary.directory),", with: "")
            // A standby does not know a new database until it has replayed its creation.
            while await !Self.refusal(of: alone).contains(wrongAddress) {}
            await primary.kill()
            let order = "\(standby.directory),\(primary.directory)"
            for address in [url, url.replacing("\(primary.directory),\(standby.directory)", with: order)] {
                let refusal = await Self.refusal(of: address)
                #expect(!refusal.contains(wrongAddress), "\(address)")
            }
            let refusal = await Self.refusal(of: alone)
            #expect(refusal.contains(wrongAddress), "\(refusal)")
        }
    }

    /// Its primary cannot be told from a former one then, and is the only one that can be read.
    @Test func `a database is opened although its standby is gone and no commit is answered`() async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await Self.open(url)
            await standby.kill()
            try await Self.open(url)
            // The primary does not keep a session for each commit that was not answered.
            let waiting = "SELECT pid::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            while try await !primary.execute(waiting).isEmpty {}
            await #expect(throws: DatabaseError.self) {
                let address = try PostgreSQLAddress(parsing: url)
                let database = try await onThread {
                    try PostgreSQLDatabase(address: address, options: Self.options(), schema: .sample)
                }
                defer { database.close() }
                try await database.writeEntry("unanswered")
            }
        }
    }

    @Test func `tables are not changed while no commit is answered`() async throws {
        let newer = DatabaseSchema.laterSample()
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await Self.open(url)
            await standby.kill()
            let refusal = await Self.refusal(of: url, newer)
            #expect(refusal.contains("has not answered a commit"), "\(refusal)")
            try await standby.start()
            // It may take the standby a while to connect.
            while (try? await Self.open(url, newer)) == nil {}
            withExtendedLifetime(primary) {}
        }
    }
}
