import Database

/// The server's properties without which graphd could break a promise. A server that lacks one is refused with a
/// sentence that says what would be right.
struct ServerRequirements {
    /// PostgreSQL 15.
    static let oldestVersion = 150_000

    let requiresStandby: Bool

    func check(_ connection: PostgreSQLConnection) throws {
        try checkReported(connection)
        let durability = try connection.exchange([
            ServerCommand("SELECT current_setting('synchronous_commit')"),
            ServerCommand("SELECT current_setting('fsync')"),
            ServerCommand("SELECT current_setting('synchronous_standby_names')"),
        ]).map { $0.text ?? "" }
        guard ["on", "remote_apply"].contains(durability[0]) else {
            throw Self.refusal(
                "synchronous_commit is \"\(durability[0])\", which acknowledges writes before they are safe; set it to "
                    + "\"on\" or \"remote_apply\"")
        }
        guard durability[1] == "on" else {
            throw Self.refusal("fsync is off, so a crash would lose acknowledged writes; set it to \"on\"")
        }
        if requiresStandby, durability[2].isEmpty {
            throw Self.refusal(
                "synchronous_standby_names is empty, so writes would be acknowledged before a standby has them; name "
                    + "the standbys, such as 'ANY 1 (*)'")
        }
    }

    private func checkReported(_ connection: PostgreSQLConnection) throws {
        let version = connection.serverVersion
        guard version >= Self.oldestVersion else {
            throw Self.refusal(
                "the server is PostgreSQL \(version / 10_000); graphd needs \(Self.oldestVersion / 10_000) or later")
        }
        let encoding = connection.setting("server_encoding") ?? "unknown"
        guard encoding == "UTF8" else {
            throw Self.refusal(
                "the database has the encoding \(encoding); create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE "
                    + "template0")
        }
        guard connection.setting("in_hot_standby") != "on" else {
            throw Self.refusal("the server is a read-only standby; give the address of the primary")
        }
        guard connection.setting("default_transaction_read_only") != "on" else {
            throw Self.refusal("default_transaction_read_only is on; set it to \"off\" for this user and database")
        }
    }

    static func refusal(_ sentence: String) -> DatabaseError { .storage(detail: "PostgreSQL: \(sentence)") }

    static func missingRight(_ message: String) -> DatabaseError {
        refusal("the user lacks a right (\(message)); make the user the owner of the database and of its tables")
    }

    static let servedTables = refusal(
        "the tables are of an older graphd, and a graphd serves the database with them; stop it first, and "
            + "every other node, so that this version can change them")

    static func lockedTables(_ sql: String) -> DatabaseError {
        refusal(
            "the tables must be changed, and a session of another program has locked them; end it, as "
                + "pg_stat_activity lists it [\(sql)]")
    }

    static let unansweredCommits =
        "PostgreSQL: the tables are of an older graphd and must be changed, and the server has not answered a commit "
        + "in time, perhaps because it waits for a standby; start the standby, or take it out of "
        + "synchronous_standby_names"

    static let schemaIsMissing = refusal(
        "the user has no schema for tables; create one (CREATE SCHEMA public), or set search_path")
}

extension ServerResult {
    /// The text in the first column of the first row; nil: there is no row.
    var text: String? { texts.first }

    /// The texts in the first column.
    var texts: [String] {
        var texts: [String] = []
        forEachRow { row in
            texts.append(row.optionalText(0) ?? "")
            return true
        }
        return texts
    }
}
