import CommandSupport
import Database

/// The state of a source, stored in the target of a copy until the copy is complete.
struct CopyMark: Sendable, Equatable {
    let text: String

    /// The mark of a source: the place of its last change, and its last id.
    init(of source: any GraphDatabase) async throws {
        let places = try await source.read { try BackupQueries(reader: $0).lastPlaces() }
        text = "\(places.change) \(places.id)"
    }

    /// Notes in an empty target that a copy has begun, or checks that a former copy of the same state can be continued.
    ///
    /// - Throws: ``CommandFailure``.
    func place(in target: any GraphDatabase, named name: String) async throws {
        let (stored, last) = try await target.read { reader in
            (
                try SettingStore.Reader(reader).setting(SettingStore.unfinishedCopy),
                try BackupQueries(reader: reader).lastPlaces().id
            )
        }
        switch stored {
        case text: return
        case nil where last == 0:
            try await SettingStore(database: target).store(text, as: SettingStore.unfinishedCopy)
        case nil:
            throw CommandFailure("\(name) holds a graph already. Name an empty database, or a directory without one.")
        default:
            throw CommandFailure(
                "\(name) holds an unfinished copy of another state: its source has changed since, or was another one. "
                    + "Empty it (drop and create the database, or remove the file), and copy again.")
        }
    }

    static func remove(from target: any GraphDatabase) async throws {
        try await target.write { transaction in
            try transaction.execute("DELETE FROM setting WHERE name = ?1", [.text(SettingStore.unfinishedCopy)])
        }
    }
}
