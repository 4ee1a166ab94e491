import Database
import Foundation
import TestSupport
import Testing

@testable import Database
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct MigrationTests {
    @Test
    func `a fresh and a reopened database have the same schema`() async throws {
        try await withGraph { fixture in
            let fresh = try await fixture.schema()
            #expect(fresh.contains { $0.contains("CREATE TABLE follow") })
            let reopened = try fixture.another()
            #expect(try await reopened.schema() == fresh)
            try reopened.database.close()
        }
    }

    @Test
    func `a database of before the first release is refused with the way out, and left alone`() async throws {
        try await withGraph { fixture in
            try await fixture.database.write { transaction in
                try transaction.execute("DELETE FROM grdb_migrations", [])
                for identifier in [SchemaMigrator.firstUnreleased, "013-logins"] {
                    try transaction.execute(
                        "INSERT INTO grdb_migrations (identifier) VALUES (?1)", [.text(identifier)])
                }
            }
            let before = try await fixture.schema()
            let error = #expect(throws: DatabaseError.self) { try fixture.another() }
            #expect(error?.detail?.contains("before 0.1.0") == true)
            #expect(error?.detail?.contains("graphd import follows") == true)
            #expect(try await fixture.schema() == before)
        }
    }

    @Test
    func `a database of a newer graphd is refused and left alone`() async throws {
        try await withGraph { fixture in
            try await fixture.database.write { transaction in
                try transaction.execute("INSERT INTO grdb_migrations (identifier) VALUES ('9.0.0')", [])
            }
            let before = try await fixture.schema()
            let error = #expect(throws: DatabaseError.self) { try fixture.another() }
            #expect(error?.detail?.contains("newer graphd") == true)
            #expect(try await fixture.schema() == before)
        }
    }

    @Test
    func `a file that is no database is refused`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let path = directory + "/graph.db"
            try String(repeating: "This is a letter, not a database. ", count: 100)
                .write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: DatabaseError.self) { try GraphFixture(path: path) }
        }
    }
}

extension GraphFixture {
    fileprivate func schema() async throws -> [String] {
        try await database.read { reader in
            try reader.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", []) { $0.text(0) }
        }
    }
}
