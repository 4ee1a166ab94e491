import Database
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import PostgreSQL
@testable import TestSupport

/// Server processes that are killed at random instants under load: what was acknowledged is there, once and in order.
@Suite(.timeLimit(.model))
struct KillTests {
    /// Two nodes that write and read, and what their callers and observers were told.
    private final class Load: Sendable {
        let nodes: [PostgreSQLDatabase]
        private let told = Mutex<[String: Int64]>([:])
        private let failed = Mutex<Set<String>>([])
        private let observed = Mutex<[Int64]>([])
        private let isOver = Atomic(false)

        init(_ address: PostgreSQLAddress) throws {
            nodes = try (0..<2).map { _ in
                try PostgreSQLDatabase(address: address, schema: .sample, clock: { 1_780_000_000_000 })
            }
            for node in nodes {
                node.observe { [self] group in
                    observed.withLock { $0 += group.sequence.map { Array($0) } ?? [] }
                }
            }
        }

        var acknowledged: [String: Int64] { told.withLock { $0 } }
        var failures: Set<String> { failed.withLock { $0 } }
        var places: [Int64] { observed.withLock { $0 }.sorted() }

        func stop() { isOver.store(true, ordering: .relaxed) }

        /// Writes one entry after the other until ``stop()``, and reads each back.
        func run(client: Int) async {
            let node = nodes[client % nodes.count]
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                number += 1
                let text = "\(client)-\(number)"
                do {
                    let id = try await node.writeEntry(text)
                    told.withLock { $0[text] = id }
                } catch {
                    _ = failed.withLock { $0.insert(text) }
                }
                _ = try? await read(text, node)
            }
        }

        private func read(_ text: String, _ node: PostgreSQLDatabase) async throws {
            guard let id = told.withLock({ $0[text] }) else { return }
            let found = try await node.read { reader in
                try reader.first("SELECT text FROM entry WHERE id = ?1", [.integer(id)]) { $0.text(0) }
            }
            #expect(found == text, "an acknowledged entry is not read")
        }

        func close() {
            for node in nodes { node.close() }
        }
    }

    /// Runs `nemesis` under load, and checks the history. Returns the number of acknowledged writes.
    private static func check(
        _ fixture: PostgreSQLFixture, clients: Int = 8, nemesis: (Load) async throws -> Void
    ) async throws {
        let load = try Load(fixture.address)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients { group.addTask { await load.run(client: client) } }
            defer { load.stop() }
            try await nemesis(load)
        }
        let reader = try PostgreSQLDatabase(address: fixture.address, options: .tests, schema: .sample)
        defer { reader.close() }
        let found = try await reader.read { reader in
            try reader.rows(
                "SELECT e.text, e.id, c.seq FROM entry e JOIN change c ON c.subject = e.id ORDER BY c.seq", []
            ) { (text: $0.text(0), id: $0.integer(1), place: $0.integer(2)) }
        }
        let acknowledged = load.acknowledged
        let ids = Dictionary(grouping: found, by: \.text)
        #expect(ids.values.allSatisfy { $0.count == 1 }, "a write has happened twice")
        for (text, id) in acknowledged { #expect(ids[text]?.first?.id == id, "\(text) was acknowledged and is lost") }
        for text in ids.keys where acknowledged[text] == nil { #expect(load.failures.contains(text)) }
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.id < $1.id }, "ids do not ascend in the log")
        #expect(found.map(\.place) == Array(1...Int64(max(found.count, 1))).prefix(found.count).map { $0 })
        if load.failures.isEmpty { #expect(load.places == found.map(\.place), "observers missed a group") }
        #expect(acknowledged.count > 50)
        load.close()
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `connections that the server ends lose, repeat and reorder nothing`(seed: UInt64) async throws {
        try await withPostgreSQL { fixture in
            var generator = SplitMix64(seed: seed)
            let killer = try fixture.server.connection(to: "postgres")
            let database = try #require(fixture.address["dbname"])
            try await Self.check(fixture) { load in
                var kills: Int64 = 0
                while kills < 150 {
                    let before = load.acknowledged.count
                    kills +=
                        try killer.exchange([
                            ServerCommand(
                                """
                                SELECT count(*) FROM (
                                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                    WHERE datname = ?1 AND application_name = 'graphd' AND pid <> pg_backend_pid()
                                    ORDER BY random() LIMIT ?2
                                ) AS killed
                                """, [.text(database), .integer(Int64.random(in: 1...3, using: &generator))])
                        ])[0].integer ?? 0
                    // The load goes on before the next kills, by a random number of writes.
                    let wanted = Int.random(in: 0...6, using: &generator)
                    while load.acknowledged.count < before + wanted { await Task.yield() }
                }
            }
        }
    }

    @Test
    func `a postmaster that is killed and started again loses, repeats and reorders nothing`() async throws {
        let server = try PostgreSQLServer()
        try await server.start()
        do {
            try await withPostgreSQL(server: server) { fixture in
                try await Self.check(fixture) { load in
                    for round in 1...6 {
                        while load.acknowledged.count < round * 40 { await Task.yield() }
                        try await server.restart()
                    }
                }
            }
        } catch {
            await server.remove()
            throw error
        }
        await server.remove()
    }
}
