/// The address for programs that libpq connects, such as `pg_dump`. Arguments of a process are readable by every user
/// of the machine, its environment by its own user only.
extension PostgreSQLAddress {
    private static let variables = [
        "channel_binding": "PGCHANNELBINDING", "dbname": "PGDATABASE", "host": "PGHOST", "hostaddr": "PGHOSTADDR",
        "passfile": "PGPASSFILE", "password": "PGPASSWORD", "port": "PGPORT", "sslcert": "PGSSLCERT",
        "sslcrl": "PGSSLCRL", "sslkey": "PGSSLKEY", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT",
        "target_session_attrs": "PGTARGETSESSIONATTRS", "user": "PGUSER",
    ]

    /// Options of the address that no variable of the environment can hold.
    package var withoutVariable: [String] { parameters.map(\.name).filter { Self.variables[$0] == nil } }

    /// Returns the environment of a program that connects to this database.
    ///
    /// - Parameter inherited: the environment of this process, in which libpq may find more.
    package func environment(_ inherited: [String: String]) -> [String: String] {
        var environment = inherited
        // The driver sets these itself.
        environment["PGOPTIONS"] = nil
        environment["PGAPPNAME"] = "graphd"
        environment["PGCONNECT_TIMEOUT"] = "10"
        for (name, value) in parameters { if let variable = Self.variables[name] { environment[variable] = value } }
        return environment
    }

    /// The name of the database as a connection string without a secret, for programs that take it as an argument only.
    package var databaseArgument: String {
        let escaped = (self["dbname"] ?? "").replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "dbname='\(escaped)'"
    }

    /// The address without its passwords, to be shown and typed.
    package var withoutPassword: String {
        let options = parameters.filter { !["dbname", "password", "sslpassword"].contains($0.name) }
        let query = options.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
        return "postgres:///\(Self.escaped(self["dbname"] ?? ""))" + (query.isEmpty ? "" : "?" + query)
    }

    private static func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/,".utf8)
        return text.utf8.map { byte in
            if plain.contains(byte) { return String(decoding: [byte], as: UTF8.self) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
