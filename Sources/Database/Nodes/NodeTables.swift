extension SchemaChange {
    /// The nodes that serve the graph, or have served it. The heartbeat of a node is its lease.
    package static let servingNodes = SchemaChange(
        name: "0.2.0-nodes",
        statements: """
            CREATE TABLE serving_node (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                version TEXT NOT NULL,
                -- 1: others may serve beside it.
                is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
                started_at INTEGER NOT NULL,
                -- The last time that it started or stopped.
                seen_at INTEGER NOT NULL
            ) STRICT;
            """)
}
