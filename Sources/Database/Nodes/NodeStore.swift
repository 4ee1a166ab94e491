/// The nodes that serve the graph.
package struct NodeStore: Sendable {
    /// Milliseconds after which a node that is gone is forgotten.
    package static let retention = Milliseconds.day

    let database: any GraphDatabase

    package init(database: any GraphDatabase) { self.database = database }

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension NodeStore {
    /// Writes down that a node starts.
    package func enter(
        _ id: Int64, name: String, version: String, isShared: Bool
    ) async throws -> ServingNode {
        try await database.write { transaction in
            let now = transaction.now
            let node = ServingNode(
                id: id, name: name, version: version, isShared: isShared, startedAt: now, seenAt: now)
            try transaction.execute(
                """
                INSERT INTO serving_node (id, name, version, is_shared, started_at, seen_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                ON CONFLICT (id) DO UPDATE
                SET name = excluded.name, version = excluded.version, is_shared = excluded.is_shared,
                    started_at = excluded.started_at, seen_at = excluded.seen_at
                """,
                [.integer(id), .text(name), .text(version), .flag(isShared), .integer(now)])
            return node
        }
    }

    /// Writes down the name of a node, which it learns when it listens.
    package func rename(_ id: Int64, to name: String) async throws {
        try await database.write { transaction in
            try transaction.execute("UPDATE serving_node SET name = ?2 WHERE id = ?1", [.integer(id), .text(name)])
        }
    }

    /// Writes down that a node stops.
    package func leave(_ id: Int64) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "UPDATE serving_node SET seen_at = ?2 WHERE id = ?1", [.integer(id), .integer(transaction.now)])
        }
    }

    /// Forgets the nodes that have been gone for a day. Returns their number.
    ///
    /// - Parameter living: nodes that are known to live. The clock of this machine may be days ahead.
    @discardableResult
    package func prune(sparing living: Set<Int64>) async throws -> Int {
        try await database.write { transaction in
            let oldest = transaction.now - Self.retention
            let old = try Reader(transaction).records().filter {
                $0.lastHeartbeat < oldest && $0.state(at: transaction.now) == .gone && !living.contains($0.node.id)
            }
            for record in old {
                let id = record.node.id
                try transaction.execute("DELETE FROM serving_node WHERE id = ?1", [.integer(id)])
                try transaction.execute("DELETE FROM lease WHERE name = ?1", [.text(record.node.lease)])
            }
            return old.count
        }
    }

    /// Returns nodes that live and share the graph, and waits until it is known that there are none. One is enough to
    /// return.
    ///
    /// - Parameters:
    ///   - own: a node that does not count; nil: all count.
    ///   - length: milliseconds for which a lease that is not renewed is waited for.
    package func livingShared(
        except own: Int64?, length: Int64 = LeaseTerms.node.length
    ) async throws -> [ServingNode] {
        let leases = try await LeaseStore(database: database).renewedLeases(length: length) {
            try await records().filter { $0.node.isShared && $0.node.id != own }.compactMap(\.heartbeat)
        }
        let names = Set(leases.map(\.name))
        return names.isEmpty ? [] : try await records().map(\.node).filter { names.contains($0.lease) }
    }

    /// All nodes, in the order of their starts.
    package func records() async throws -> [NodeRecord] { try await database.read { try Reader($0).records() } }
}

extension NodeStore.Reader {
    /// All nodes, in the order of their starts, and their leases.
    package func records() throws -> [NodeRecord] {
        var (nodes, leases): ([ServingNode], [Lease]) = ([], [])
        try reader.fetch([Self.nodes, Self.leases]) { index, row in
            if index == 0 { nodes.append(ServingNode(row)) } else { leases.append(Lease(named: row)) }
            return true
        }
        let owned = Dictionary(grouping: leases.filter { !$0.isReleased }, by: \.owner)
        return nodes.map { node in
            NodeRecord(
                node: node, heartbeat: leases.first { $0.name == node.lease },
                duties: owned[node.id, default: []].map(\.name).filter { $0 != node.lease })
        }
    }

    private static var nodes: SQLQuery {
        SQLQuery(
            "SELECT id, name, version, is_shared, started_at, seen_at FROM serving_node ORDER BY started_at, id", [])
    }

    private static var leases: SQLQuery { LeaseStore.Reader.queryForAll }
}

extension ServingNode {
    fileprivate init(_ row: any SQLRow) {
        self.init(
            id: row.integer(0), name: row.text(1), version: row.text(2), isShared: row.integer(3) != 0,
            startedAt: row.integer(4), seenAt: row.integer(5))
    }
}

extension Lease {
    fileprivate init(named row: any SQLRow) { self.init(name: row.text(3), row: row) }
}
