import Database
import Importing
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

/// Seeded imports compared with a simple model: the first of equal edges counts, and blocked ones do not.
@Suite(.timeLimit(.unit))
struct FollowImporterModelTests {
    typealias Edge = (follower: String, followee: String)

    /// Follows with folded names, follower first, in the order of their positions.
    private struct Model {
        private(set) var follows: [[String]] = []
        private(set) var names: Set<String> = []
        private var seen: Set<[String]> = []
        var blocked: Set<Set<String>> = []

        mutating func write(_ edges: [Edge]) {
            for edge in edges {
                let pair = [edge.follower.lowercased(), edge.followee.lowercased()]
                names.formUnion(pair)
                if !blocked.contains(Set(pair)), seen.insert(pair).inserted { follows.append(pair) }
            }
        }
    }

    /// Random edges among few people, with repetitions and some names in capital letters.
    private static func edges(_ random: inout SplitMix64) -> [Edge] {
        let people = Int.random(in: 2...60, using: &random)
        func name() -> (key: Int, text: String) {
            let key = Int.random(in: 0..<people, using: &random)
            return (key, Int.random(in: 0..<9, using: &random) == 0 ? "PERSON\(key)" : "person\(key)")
        }
        return (0..<Int.random(in: 1...700, using: &random)).compactMap { _ in
            let (one, other) = (name(), name())
            return one.key == other.key ? nil : (one.text, other.text)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>, [1, 200, Int.max])
    func `what is there equals the model, whether orderings are rebuilt or not`(
        seed: UInt64, leastRebuild: Int
    ) async throws {
        try await withGraph { fixture in
            var random = SplitMix64(seed: seed)
            var model = Model()
            let definitions = try await Self.definitions(fixture)
            if seed % 2 == 0 {
                let people = try await fixture.users(6, prefix: "person")
                try await fixture.graph.blocksAndMutes.block(people[0], people[1])
                try await fixture.graph.blocksAndMutes.block(people[3], people[2])
                model.blocked = [["person0", "person1"], ["person2", "person3"]]
            }
            var importer = FollowImporter(graph: fixture.graph, leastRebuild: leastRebuild)
            var total = 0
            for _ in 0..<5 {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    total += importer.total.follows
                    importer = FollowImporter(graph: fixture.graph, leastRebuild: leastRebuild)
                }
                let edges = Self.edges(&random)
                try await importer.write(edges)
                model.write(edges)
                #expect(total + importer.total.follows == model.follows.count)
                try await Self.expect(model.follows, model.names, in: fixture)
            }
            #expect(try await Self.definitions(fixture) == definitions)
        }
    }

    private static func expect(_ follows: [[String]], _ names: Set<String>, in fixture: GraphFixture) async throws {
        let stored = try await fixture.database.read { reader in
            try reader.rows(
                """
                SELECT a.username_key, b.username_key FROM follow f
                JOIN account a ON a.id = f.follower_id JOIN account b ON b.id = f.followee_id ORDER BY f.position
                """, []
            ) { [$0.text(0), $0.text(1)] }
        }
        #expect(stored == follows)
        #expect(try await fixture.integers(Self.wrongCounts) == [0])
        if fixture.engine == .sqlite {
            #expect(try await fixture.integers("SELECT COUNT(*) FROM pragma_foreign_key_check") == [0])
            #expect(
                try await fixture.integers("SELECT 1 FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == [])
        }
        for name in names.sorted().prefix(3) {
            let id = try #require(try await fixture.graph.accounts.account(username: name)).id
            let found = try await fixture.database.read { reader in
                try SearchStore.Reader(reader).users(named: name, isBeginning: false, limit: 9)
            }
            #expect(found == [id])
        }
    }

    static let wrongCounts = """
        SELECT COUNT(*) FROM account a WHERE
        followers_count <> (SELECT COUNT(*) FROM follow WHERE followee_id = a.id) OR
        following_count <> (SELECT COUNT(*) FROM follow WHERE follower_id = a.id)
        """

    /// The table of follows and its indexes.
    private static func definitions(_ fixture: GraphFixture) async throws -> Set<String> {
        let query =
            switch fixture.engine {
            case .sqlite: "SELECT sql FROM sqlite_schema WHERE tbl_name = 'follow' AND sql IS NOT NULL"
            case .postgreSQL: "SELECT indexdef FROM pg_indexes WHERE tablename = 'follow'"
            }
        return Set(
            try await fixture.database.read { reader in
                try reader.rows(query, []) {
                    $0.text(0).split(whereSeparator: \.isWhitespace).joined(separator: " ")
                }
            })
    }

    @Test(arguments: [1, Int.max])
    func `after an import references are checked and the write-ahead log is used again`(
        leastRebuild: Int
    ) async throws {
        try await withGraph { fixture in
            var importer = FollowImporter(graph: fixture.graph, leastRebuild: leastRebuild)
            for edges in [[("ann", "bob")], [("ann", "cat"), ("cat", "bob")]] { try await importer.write(edges) }
            if fixture.engine == .sqlite {
                let mode = try await fixture.database.read { try $0.first("PRAGMA journal_mode", []) { $0.text(0) } }
                #expect(mode == "wal")
            }
            await #expect(throws: DatabaseError.self) {
                try await fixture.database.write { transaction in
                    try transaction.execute("INSERT INTO follow VALUES (1, 2, 3)", [])
                }
            }
        }
    }

    @Test
    func `an import that outgrows the table goes on beside another process`() async throws {
        try await withGraph { fixture in
            let other = try fixture.another()
            _ = try await other.graph.accounts.mostFollowed(limit: 1)
            var importer = FollowImporter(graph: fixture.graph, leastRebuild: 1)
            try await importer.write([("ann", "bob"), ("bob", "cat")])
            #expect(try await other.graph.accounts.account(username: "bob")?.followersCount == 1)
            _ = try await other.user("dan")
            #expect(try await fixture.graph.accounts.account(username: "dan") != nil)
            try other.database.close()
        }
    }

    @Test
    func `a self-follow in an import that outgrows the table leaves everything as it was`() async throws {
        try await withGraph { fixture in
            let definitions = try await Self.definitions(fixture)
            var importer = FollowImporter(graph: fixture.graph, leastRebuild: 1)
            await #expect(throws: GraphError.selfFollow) { try await importer.write([("ann", "bob"), ("cat", "CAT")]) }
            #expect(try await fixture.integers("SELECT COUNT(*) FROM account") == [0])
            #expect(try await Self.definitions(fixture) == definitions)
            #expect(try await fixture.integers("SELECT COUNT(*) FROM account_text") == [0])
        }
    }
}
