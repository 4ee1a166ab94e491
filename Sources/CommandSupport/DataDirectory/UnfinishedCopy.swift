import Database

/// The mark of a database that a copy has not finished: nobody may serve it.
package enum UnfinishedCopy {
    /// The setting that holds the state of the source.
    package static let setting = "database_copy"

    /// - Throws: ``CommandFailure`` for a marked database.
    static func refuse(_ database: any OpenedDatabase) throws {
        guard try database.readNow({ try SettingStore.Reader($0).setting(setting) }) != nil else { return }
        try database.close()
        throw CommandFailure(
            "The database is an unfinished copy. Finish it: run the same 'graphd database copy' again.")
    }
}
