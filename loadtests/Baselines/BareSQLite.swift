/// The least that SQLite must do for the same rows, as scripts of the sqlite3 shell.
enum BareSQLite {
    /// Reads a csv file of pairs and inserts them in both orderings, durably.
    static func insert(follows file: String) -> String {
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA cache_size = -65536;
        CREATE TEMP TABLE edge (a INTEGER, b INTEGER);
        .import --csv --skip 1 \(file) temp.edge
        CREATE TABLE following (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE followers (b INTEGER, a INTEGER, PRIMARY KEY (b, a)) WITHOUT ROWID;
        BEGIN;
        INSERT INTO following SELECT a, b FROM temp.edge;
        INSERT INTO followers SELECT b, a FROM temp.edge;
        COMMIT;
        """
    }
}
