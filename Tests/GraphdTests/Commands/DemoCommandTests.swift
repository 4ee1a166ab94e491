import PostgreSQL
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct DemoCommandTests {
    @Test func `printed commands name the database and never its password`() throws {
        #expect(DemoCommand.storage(of: DataDirectory(path: "data")) == ("--data-dir data", "data"))
        let shown = DemoCommand.storage(of: try directory("postgres://graphd@/graph?host=/run/pg"))
        #expect(shown.options == "--data-dir data --database 'postgres:///graph?user=graphd&host=/run/pg'")
        #expect(shown.places == "data and in the database \"graph\" at /run/pg")
        let secret = DemoCommand.storage(of: try directory("postgres://graphd:s3cret@db/graph"))
        #expect(secret.options == "--data-dir data  # with GRAPHD_DATABASE set")
        #expect(!secret.places.contains("s3cret"))
    }

    private func directory(_ address: String) throws -> DataDirectory {
        DataDirectory(
            path: "data", server: DatabaseServer(address: try PostgreSQLAddress(parsing: address)))
    }
}
