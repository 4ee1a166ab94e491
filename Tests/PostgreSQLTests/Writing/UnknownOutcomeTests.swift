import Database
import PostgreSQLTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// Connections that are lost around a COMMIT.
@Suite(.timeLimit(.process))
struct UnknownOutcomeTests {
    /// A database behind a proxy, and what its observers saw.
    private struct Fixture {
        let proxy: CuttingProxy
        let database: PostgreSQLDatabase
        let observed = Observed()

        func entries() async throws -> [String] {
            try await database.read { try $0.rows("SELECT text FROM entry ORDER BY id", []) { $0.text(0) } }
        }

        func places() async throws -> [Int64] {
            try await database.read { try $0.rows("SELECT seq FROM change ORDER BY seq", []) { $0.integer(0) } }
        }
    }

    private final class Observed: Sendable {
        private let noted = Mutex<[ClosedRange<Int64>]>([])

        func note(_ group: CommittedGroup) {
            if let places = group.sequence { noted.withLock { $0.append(places) } }
        }

        var places: [Int64] { noted.withLock { $0.flatMap { Array($0) } } }
    }

    private static func withProxy(
        mechanisms: WriteMechanisms = WriteMechanisms(), patience: Duration = PostgreSQLTimeouts.tests.patience,
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await PostgreSQLServer.shared().withDatabase { address in
            let proxy = try CuttingProxy(to: address)
            defer { proxy.stop() }
            var options = PostgreSQLOptions.tests
            options.timeouts.patience = patience
            options.timeouts.connecting = min(options.timeouts.connecting, patience / 2)
            options.timeouts.silence = min(options.timeouts.silence, patience / 4)
            let chosen = options
            let database = try await onThread {
                try PostgreSQLDatabase(
                    address: proxy.address, options: chosen, schema: .sample, hooks: nil,
                    times: GraphClock { 1_780_000_000_000 }, mechanisms: mechanisms, observingRoundTrips: {})
            }
            defer { database.close() }
            let fixture = Fixture(proxy: proxy, database: database)
            database.observe(fixture.observed.note)
            try await body(fixture)
        }
    }

    @Test(arguments: CuttingProxy.Cut.allCases, [1, 3])
    func `a commit that was cut off happens exactly once`(cut: CuttingProxy.Cut, times: Int) async throws {
        try await Self.withProxy { fixture in
            try await fixture.database.writeEntry("before")
            fixture.proxy.cut([CuttingProxy.Cut](repeating: cut, count: times))
            try await fixture.database.writeEntry("cut")
            // A commit that happened is not repeated, so further cuts meet the question for its outcome.
            #expect(fixture.proxy.cutsLeft < times)
            fixture.proxy.cut([])
            try await fixture.database.writeEntry("after")
            #expect(try await fixture.entries() == ["before", "cut", "after"])
            #expect(try await fixture.places() == [1, 2, 3])
            #expect(fixture.observed.places == [1, 2, 3])
        }
    }

    @Test
    func `without the group's token, a commit that was cut off happens twice`() async throws {
        try await Self.withProxy(mechanisms: WriteMechanisms(asksForToken: false)) { fixture in
            fixture.proxy.cut([.afterCommit])
            try await fixture.database.writeEntry("cut")
            #expect(try await fixture.entries() == ["cut", "cut"])
        }
    }

    @Test
    func `a question whose commit stops waiting for a standby is not answered`() async throws {
        try await PostgreSQLServer.running { server in
            try await withPostgreSQL(server: server) { fixture in
                try await server.set("synchronous_standby_names", to: "ANY 1 (*)")
                try await server.execute("CHECKPOINT")
                let question = Task {
                    try await onThread {
                        let source = ConnectionSource(address: fixture.address, timeouts: .tests, noteRoundTrip: {})
                        let connection = try source.connection(for: .writer)
                        return try GroupToken(node: 1, number: 1).isCommitted(on: connection, now: 0)
                    }
                }
                var cancelled: [String] = []
                while cancelled.isEmpty {
                    cancelled = try await server.execute(
                        "SELECT pg_cancel_backend(pid)::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                }
                let failure = await #expect(throws: ServerFailure.self) { try await question.value }
                #expect(failure?.isPassing == true)
                try await server.set("synchronous_standby_names", to: "")
                try await server.execute("CHECKPOINT")
            }
        }
    }

    @Test
    func `a group that was cut off is acknowledged to each of its callers`() async throws {
        for cut in CuttingProxy.Cut.allCases {
            try await Self.withProxy { fixture in
                fixture.proxy.cut([cut])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 { group.addTask { try await fixture.database.writeEntry("\(number)") } }
                    try await group.waitForAll()
                }
                #expect(Set(try await fixture.entries()) == Set((0..<40).map(String.init)))
                #expect(try await fixture.places() == (1...40).map { $0 })
            }
        }
    }

    @Test
    func `while the server is away callers wait, and then are told that it is`() async throws {
        try await Self.withProxy(patience: .seconds(10)) { fixture in
            try await fixture.database.writeEntry("before")
            fixture.proxy.setAway(true)
            let error = await #expect(throws: DatabaseError.self) { try await fixture.database.writeEntry("lost") }
            if case .storage = error {} else { Issue.record("\(String(describing: error))") }
            await #expect(throws: DatabaseError.self) { try await fixture.entries() }
            fixture.proxy.setAway(false)
            try await fixture.database.writeEntry("after")
            #expect(try await fixture.entries() == ["before", "after"])
        }
    }

    @Test
    func `observers hear of a commit whose callers were refused`() async throws {
        try await Self.withProxy(patience: .seconds(10)) { fixture in
            try await fixture.database.writeEntry("before")
            fixture.proxy.cut([.afterCommit] + [CuttingProxy.Cut](repeating: .beforeCommit, count: 1_000))
            await #expect(throws: DatabaseError.self) { try await fixture.database.writeEntry("told late") }
            #expect(fixture.observed.places == [1])
            fixture.proxy.cut([])
            try await fixture.database.writeEntry("after")
            #expect(try await fixture.entries() == ["before", "told late", "after"])
            #expect(fixture.observed.places == [1, 2, 3])
        }
    }
}

extension PostgreSQLDatabase {
    /// Writes an entry with a new id and a row in the log.
    @discardableResult
    func writeEntry(_ text: String) async throws -> Int64 {
        try await write { transaction in
            let id = try transaction.nextID()
            try transaction.execute("INSERT INTO entry (id, text) VALUES (?1, ?2)", [.integer(id), .text(text)])
            try transaction.log(kind: 1, subject: id, object: 0)
            return id
        }
    }
}
