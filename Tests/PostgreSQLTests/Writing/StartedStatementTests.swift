import Database
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

/// Statements that the server runs while the writer goes on, and queries that are sent with the beginning of a group.
@Suite(.timeLimit(.process))
struct StartedStatementTests {
    private struct BodyFailure: Error {}

    @Test
    func `a failed statement of a request that was undone anyway fails no later one`() async throws {
        try await withPostgreSQL { fixture in
            for round in 0..<5 {
                await #expect(throws: BodyFailure.self) {
                    try await fixture.database.write { transaction in
                        // More statements than wait for the end of their request.
                        for id in 1...100 { try transaction.insertPerson(Int64(id % 50)) }
                        throw BodyFailure()
                    }
                }
                try await fixture.database.write { try $0.insertPerson(Int64(1_000 + round)) }
            }
            #expect(try await fixture.people() == (0..<5).map { 1_000 + $0 })
        }
    }

    @Test
    func `a started statement's error is its own request's, whatever its neighbours do`() async throws {
        try await withPostgreSQL { fixture in
            let outcomes = try await fixture.database.inOneGroup(
                (0..<6).map { number in
                    { @Sendable in
                        try await fixture.database.write { transaction in
                            for id in 1...40 { try transaction.insertPerson(Int64(number * 100 + id)) }
                            if number == 2 { try transaction.insertPerson(1) }
                            if number == 4 { throw BodyFailure() }
                        }
                    }
                })
            #expect(outcomes.map { $0.error == nil } == [true, true, false, true, false, true])
            #expect(outcomes[2].error is DatabaseError && outcomes[4].error is BodyFailure)
            #expect(try await fixture.people().count == 160)
        }
    }

    @Test
    func `a statement's error is thrown once the server has answered so many`() async throws {
        try await withPostgreSQL { fixture in
            await #expect(throws: DatabaseError.self) {
                try await fixture.database.write { transaction in
                    try transaction.insertPerson(1)
                    for _ in 0..<3_000 { try transaction.insertPerson(1) }
                    Issue.record("the error came too late")
                }
            }
        }
    }

    @Test
    func `a connection ends a started group before it goes on`() async throws {
        try await withPostgreSQL { fixture in
            try await onThread {
                let source = ConnectionSource(
                    address: fixture.address, timeouts: .tests, noteRoundTrip: {})
                let connection = try source.connection(for: .writer)
                let insertion = ServerCommand("INSERT INTO person (id, name) VALUES (1, 'one')")
                _ = try connection.exchange([ServerCommand("BEGIN"), insertion])
                try connection.start([insertion])
                #expect(throws: ServerFailure.self) { try connection.exchange([ServerCommand("SELECT 1")]) }
                try connection.post([ServerCommand("ROLLBACK")])
                _ = try connection.exchange([ServerCommand("BEGIN"), insertion])
                try connection.start([insertion, ServerCommand("no statement")])
                try connection.post([ServerCommand("ROLLBACK")])
                let count = try connection.exchange([ServerCommand("SELECT count(*) FROM person")])[0]
                #expect(count.integer == 0)
            }
        }
    }

    @Test
    func `a server ends the transaction of a writer that stops after a started statement`() async throws {
        try await withPostgreSQL { fixture in
            try await onThread {
                var timeouts = PostgreSQLTimeouts.tests
                timeouts.idleWriter = .milliseconds(200)
                timeouts.statement = .seconds(60)
                let source = ConnectionSource(address: fixture.address, timeouts: timeouts, noteRoundTrip: {})
                let (stopped, other) = (try source.connection(for: .writer), try source.connection(for: .writer))
                let insertion = ServerCommand("INSERT INTO person (id, name) VALUES (1, 'one')")
                _ = try stopped.exchange([ServerCommand("BEGIN")])
                try stopped.start([insertion])
                // Waits for the end of the other transaction.
                _ = try other.exchange([insertion])
                #expect(throws: ServerFailure.self) { try stopped.exchange([ServerCommand("COMMIT")]) }
            }
        }
    }

    @Test
    func `a server ends the transaction of a writer that stops while it is sent to`() async throws {
        let port = try LocalSocket.freePort()
        var setup = PostgreSQLServer.Setup(settings: ["listen_addresses=127.0.0.1", "port=\(port)"])
        setup.port = port
        try await PostgreSQLServer.running(setup) { server in
            try await withPostgreSQL(server: server) { fixture in
                try await onThread {
                    var timeouts = PostgreSQLTimeouts.tests
                    timeouts.unacknowledged = .milliseconds(500)
                    let name = fixture.address["dbname"] ?? ""
                    let address = try PostgreSQLAddress(parsing: "postgres://graphd@127.0.0.1:\(port)/\(name)")
                    let source = ConnectionSource(address: address, timeouts: timeouts, noteRoundTrip: {})
                    let (stopped, other) = (try source.connection(for: .writer), try source.connection(for: .writer))
                    let lock = ServerCommand(IDSequence.lastQuery + " FOR UPDATE")
                    _ = try stopped.exchange([ServerCommand("BEGIN"), lock])
                    // More than the buffers between server and writer hold.
                    try stopped.start([ServerCommand("SELECT repeat('x', 1000000) FROM generate_series(1, 1000)")])
                    // Waits for the end of the other transaction.
                    _ = try other.exchange([lock])
                }
            }
        }
    }

    @Test
    func `a row that was read ahead is not asked again, and a missing one is`() async throws {
        let trips = Taken()
        try await withPostgreSQL(observingRoundTrips: { trips.note(1) }) { fixture in
            let database = fixture.database
            try await database.write { try $0.insertPerson(1) }
            let queries = [1, 2].map { SQLQuery("SELECT name FROM person WHERE id = ?1", [.integer($0)]) }
            let names: @Sendable (SQLQuery) async throws -> [String] = { query in
                try await database.write(readingAhead: { [query] }) { transaction in
                    let names = try transaction.rows(of: [query]) { $0.text(0) }[0]
                    if query == queries[1], names.isEmpty { try transaction.insertPerson(2) }
                    return names
                }
            }
            let before = trips.all.count
            #expect(try await names(queries[0]) == ["person 1"])
            #expect(trips.all.count - before == 2)
            #expect(try await names(queries[1]).isEmpty)
            #expect(trips.all.count - before == 5)
            try await database.write { try $0.execute("DELETE FROM person WHERE id = 2", []) }
            let results = try await database.inOneGroup(
                (0..<3).map { _ in { @Sendable in try await names(queries[1]) } })
            #expect(try results.map { try $0.get() } == [[], ["person 2"], ["person 2"]])
        }
    }

    @Test
    func `requests that read ahead come before those that may change what was read`() async throws {
        try await withPostgreSQL { fixture in
            let database = fixture.database
            try await database.write { try $0.insertPerson(1) }
            let query = SQLQuery("SELECT name FROM person WHERE id = 1", [])
            let results = try await database.inOneGroup(
                {
                    try await database.write { try $0.execute("UPDATE person SET name = 'new' WHERE id = 1", []) }
                    return [""]
                },
                {
                    try await database.write(readingAhead: { [query] }) { transaction in
                        try transaction.rows(of: [query]) { $0.text(0) }[0]
                    }
                },
                { try await database.write { try $0.rows(of: [query]) { $0.text(0) }[0] } })
            #expect(try results.map { try $0.get() } == [[""], ["person 1"], ["new"]])
        }
    }
}
