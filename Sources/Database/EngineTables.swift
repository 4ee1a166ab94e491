extension Tables {
    /// The id sequence, named settings, leases, and the change log in commit order. `change_group` has a row for each
    /// commit group with changes: the place of its last change, its time, and its notes for other processes
    /// (``CommitNotes/logged``).
    package static let engine = """
        CREATE TABLE id_sequence (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            last INTEGER NOT NULL CHECK (last BETWEEN 0 AND 9007199254740991)
        ) STRICT;
        INSERT INTO id_sequence (only, last) VALUES (1, 0);

        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE lease (
            name TEXT PRIMARY KEY NOT NULL,
            owner INTEGER NOT NULL,
            incarnation INTEGER NOT NULL CHECK (incarnation > 0),
            ends_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE change (
            seq INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            subject INTEGER NOT NULL,
            object INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE change_group (
            seq INTEGER PRIMARY KEY,
            committed_at INTEGER NOT NULL,
            touched BLOB NOT NULL
        ) STRICT;

        """
}
