@testable import PostgreSQL

extension PostgreSQLAddress {
    /// The path of the server's socket.
    package var socket: String { Self.socket(in: self["host"] ?? "") }

    /// The path at which libpq looks for a socket in a directory.
    package static func socket(in directory: String) -> String { directory + "/.s.PGSQL.5432" }

    /// The address of the same database behind the socket in another directory.
    package func moved(to directory: String) throws -> PostgreSQLAddress {
        try PostgreSQLAddress(parsing: "postgres://graphd@/\(self["dbname"] ?? "")?host=\(directory)")
    }
}
