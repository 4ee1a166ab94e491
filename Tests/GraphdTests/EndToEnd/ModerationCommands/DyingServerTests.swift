import Testing

@testable import SocialGraph
@testable import graphd

@Suite(.timeLimit(.minutes(10)))
struct DyingServerTests {
    private static let subjects = 6_000

    @Test
    func `a server that dies half-way leaves whole orders, which the command names, and which can be undone`()
        async throws
    {
        try await GraphdServer.running { server in
            let admin = try await server.admin()
            let names = (1...Self.subjects).map { "bot\($0)" }
            try await server.importFollows(names.map { ($0, admin.username) })
            let words = ["user", "silence", "-", "--reason", "Bots", "--json"]
            let input = names.joined(separator: "\n")
            async let command = server.command(words, as: admin, input: input)
            // The second of six orders is there, so the first has been answered.
            while try await Self.silenced(server) <= OrderDraft.subjectsPerRequest {
                // Not for synchronisation: a busy loop would take the processor from the server that is waited for.
                try await Task.sleep(for: .milliseconds(5))
            }
            await server.kill()
            let broken = try await command
            broken.expect(75)
            let batches = try #require(try broken.json.at("batches")?.arrayValue?.compactMap { $0.stringValue })
            let done = batches.count * OrderDraft.subjectsPerRequest
            #expect(!batches.isEmpty && done < Self.subjects)
            #expect(try broken.json.at("changed") == .integer(Int64(done)))
            #expect(broken.errors.last?.contains("\(done) of \(Self.subjects) are done") == true, "\(broken.errors)")
            #expect(broken.errors.last?.contains("graphd undo \(batches.joined(separator: " "))") == true)

            try await server.start()
            let silenced = try await Self.silenced(server)
            // The order that was under way is done wholly or not at all.
            #expect([done, done + OrderDraft.subjectsPerRequest].contains(silenced), "\(silenced) of \(done)")
            let rest = try await server.command(words, as: admin, input: input).expect(0)
            #expect(try rest.json.at("changed") == .integer(Int64(Self.subjects - silenced)))
            let more = try #require(try rest.json.at("batches")?.arrayValue?.compactMap { $0.stringValue })
            let undone = try await server.command(["undo"] + batches + more + ["--json"], as: admin).expect(0)
            #expect(try undone.json.at("changed") == .integer(Int64(Self.subjects - silenced + done)))
        }
    }

    private static func silenced(_ server: GraphdServer) async throws -> Int {
        try await server.graph.database.read { reader in
            try reader.first("SELECT COUNT(*) FROM account WHERE silenced_at IS NOT NULL", []) { Int($0.integer(0)) }
        } ?? 0
    }
}
