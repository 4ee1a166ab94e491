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

    private static func open(_ url: String) async throws {
        let address = try PostgreSQLAddress(parsing: url)
        let database = try await onThread {
            try PostgreSQLDatabase(address: address, options: options(), schema: .sample)
        }
        try await onThread { database.close() }
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
                    let examination = try await onThread { try ServerExamination(of: address, now: 0) }
                    #expect(examination.version.hasPrefix("1"))
                }
            }
        }
    }

    @Test func `while the primary is down, the standby is not refused as a wrong address`() async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await Self.open(url)
            await primary.kill()
            let order = "\(standby.directory),\(primary.directory)"
            for address in [url, url.replacing("\(primary.directory),\(standby.directory)", with: order)] {
                let error = await #expect(throws: DatabaseError.self) { try await Self.open(address) }
                #expect(error.map { "\($0)" }?.contains("give the address of the primary") == false, "\(address)")
            }
            let alone = url.replacing("\(primary.directory),", with: "")
            let error = await #expect(throws: DatabaseError.self) { try await Self.open(alone) }
            #expect(error.map { "\($0)" }?.contains("give the address of the primary") == true)
        }
    }

    /// Its primary cannot be told from a former one then, and is the only one that can be read.
    @Test func `a database is opened although its standby is gone and no commit is answered`() async throws {
        try await PostgreSQLServer.runningPair { primary, standby, url in
            try await Self.open(url)
            await standby.kill()
            try await Self.open(url)
            await #expect(throws: DatabaseError.self) {
                let address = try PostgreSQLAddress(parsing: url)
                let database = try await onThread {
                    try PostgreSQLDatabase(address: address, options: Self.options(), schema: .sample)
                }
                defer { database.close() }
                try await database.writeEntry("unanswered")
            }
            withExtendedLifetime(primary) {}
        }
    }
}
