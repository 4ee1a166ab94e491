import Database

/// The mark of a database that a copy has not finished: nobody may serve it.
enum UnfinishedCopy {
    /// - Throws: ``CommandFailure`` for a marked database.
    static func refuse(_ database: any OpenedDatabase) throws {
        guard try database.readNow({ try SettingStore.Reader($0).setting(SettingStore.unfinishedCopy) }) == nil else {
            throw CommandFailure(
                "The database is an unfinished copy. Finish it: run the same 'graphd database copy' again.")
        }
    }
}
