/// The least that SQLite must do for the same rows, as scripts of the sqlite3 shell.
enum BareSQLite {
    /// Reads a csv file of pairs and inserts them in both orderings, durably.
    static func insert(follows file: String) -> String {
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA cache_size = -65536;
        CREATE TABLE following (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE followers (b INTEGER, a INTEGER, PRIMARY KEY (b, a)) WITHOUT ROWID;
        BEGIN;
        .import --csv --skip 1 \(file) following
        INSERT INTO followers SELECT b, a FROM following;
        COMMIT;
        """
    }
}
