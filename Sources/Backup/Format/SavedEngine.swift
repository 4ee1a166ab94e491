import CommandSupport
import GraphAPI
import StrictJSON

/// The engine of a saved database.
package enum SavedEngine: Sendable, Equatable {
    case sqlite
    /// - `version`: major and minor version of the server, as in 150004; `schema`: the schema with the tables.
    case postgreSQL(version: Int64, schema: String)

    /// The version of the form of a backup with such a database. Graphd of the first form knew no other engine.
    package var format: Int64 { self == .sqlite ? 1 : 2 }

    /// The name of the database's file in a backup.
    package var fileName: String { self == .sqlite ? BackupLayout.database : BackupLayout.dump }

    /// Adds the engine to a manifest, except that of the first form, which has no place for it.
    func write(into json: inout JSONWriter) {
        guard case .postgreSQL(let version, let schema) = self else { return }
        json.key("database")
        json.beginObject()
        json.member("engine", "postgresql")
        json.member("version", version)
        json.member("schema", schema)
        json.endObject()
    }

    /// Reads the engine of a manifest of any known form.
    ///
    /// - Throws: ``CommandFailure``.
    init(format: Int64, manifest: JSONValue) throws {
        if format == Self.sqlite.format {
            self = .sqlite
            return
        }
        guard let database = manifest.member("database"), database.member("engine")?.stringValue == "postgresql",
            let version = database.member("version")?.integerValue, version > 0,
            let schema = database.member("schema")?.stringValue, (1...63).contains(schema.utf8.count)
        else { throw CommandFailure("The manifest lacks the engine of the database.") }
        self = .postgreSQL(version: version, schema: schema)
    }
}
