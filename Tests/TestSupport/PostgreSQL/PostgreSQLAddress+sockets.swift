@testable import PostgreSQL

extension PostgreSQLAddress {
    /// The path of the server's socket.
    package var socket: String { (self["host"] ?? "") + "/.s.PGSQL.5432" }

    /// The address of the same database behind the socket in another directory.
    package func moved(to directory: String) throws -> PostgreSQLAddress {
        try PostgreSQLAddress(parsing: "postgres://graphd@/\(self["dbname"] ?? "")?host=\(directory)")
    }
}
