import CommandSupport
import Database
import GraphAssembly
import SocialGraph
import Timeline

/// Copies a graph from one database to another, which may be of another engine: table by table, in the order of keys,
/// so that an interrupted copy continues where it was. It is complete once the digests of all tables agree and every
/// timeline of the target has been built and verified.
package struct DatabaseCopy: Sendable {
    /// Tables that the verification of timelines may change. They are copied again.
    private static let changedByVerification: Set<String> = [
        "change", "change_group", "delivery", "id_sequence", "lease", "outbox", "setting",
    ]
    /// Tables that a new database has rows in.
    private static let replaced: Set<String> = ["id_sequence", "lease", "setting"]
    /// Conditions of rows that belong to the graph, and not to a database or to the copy itself.
    private static let conditions = [
        "lease": "name <> '\(DatabaseServer.leaseName)' AND substr(name, 1, 5) <> '\(ServingNode.leasePrefix)'",
        "serving_node": "id IS NULL", "setting": "name <> '\(SettingStore.unfinishedCopy)'",
    ]

    let source: any GraphDatabase
    let target: any GraphDatabase
    /// Names of the two in messages.
    let names: (source: String, target: String)

    package init(from source: any GraphDatabase, to target: any GraphDatabase, names: (source: String, target: String))
    {
        self.source = source
        self.target = target
        self.names = names
    }

    /// - Throws: ``CommandFailure``, `DatabaseError`, `RedisError`. The copy can be continued then.
    package func run() async throws -> CopySummary {
        let tables = try DatabaseSchema.graph.storedTables().map {
            TableStatements($0, condition: Self.conditions[$0.name])
        }
        let mark = try await CopyMark(of: source)
        try await mark.place(in: target, named: names.target)
        try await copy(tables)
        try await index()
        try await target.analyze()
        let timelines = try await verifiedTimelines()
        let rows = try await compare(tables)
        guard try await CopyMark(of: source) == mark else {
            throw CommandFailure(
                "\(names.source) has been changed during the copy. Stop what writes to it, empty \(names.target), and "
                    + "copy again.")
        }
        try await CopyMark.remove(from: target)
        return CopySummary(tables: tables.count, rows: rows, timelines: timelines)
    }

    private func copy(_ tables: [TableStatements]) async throws {
        var total = 0
        for table in tables {
            total += try await source.read { try $0.count(of: table) }
        }
        var (bar, done) = (ProgressBar(label: "copying", unit: .rows, total: total), 0)
        defer { bar.finish() }
        var (copied, copiers): (Set<String>, [TableCopier]) = ([], [])
        for table in tables {
            let copier = TableCopier(table, from: source, to: target, after: copied)
            if Self.replaced.contains(table.table.name) {
                try await copier.replace()
            } else {
                try await copier.copyRest { count in
                    done += count
                    bar.update(done: done)
                }
            }
            copied.insert(table.table.name)
            copiers.append(copier)
        }
        for copier in copiers { try await copier.copyLaterReferences() }
    }

    /// Makes the documents of all full-text indexes.
    private func index() async throws {
        var (bar, done) = (ProgressBar(label: "indexing", unit: .rows, total: nil), 0)
        defer { bar.finish() }
        for (index, table) in TextIndex.withSubjects {
            var last: Int64 = 0
            while true {
                let after = last
                let ids = try await target.read { reader in
                    try reader.rows(
                        "SELECT id FROM \(table) WHERE id > ?1 ORDER BY id LIMIT 1000", [.integer(after)]
                    ) { $0.integer(0) }
                }
                guard let end = ids.last else { break }
                try await target.writeBulk(outgrows: false) { transaction in
                    for id in ids { transaction.index(TextSubject(index, id)) }
                }
                done += ids.count
                bar.update(done: done)
                last = end
            }
        }
    }

    private func verifiedTimelines() async throws -> TimelineVerifier.Report {
        let report = try await RestoredTimelines(graph: GraphStore(database: target)).verify()
        guard report.isClean else {
            throw CommandFailure(
                "\(report.drifted.count) of \(report.timelines) timelines of the copy differ from their definition: "
                    + "\(report.missing) entries missing, \(report.extra) extra, \(report.misordered) out of order.")
        }
        return report
    }

    /// Compares all tables. Returns the number of rows.
    private func compare(_ tables: [TableStatements]) async throws -> Int {
        var (bar, rows) = (ProgressBar(label: "comparing", unit: .rows, total: nil), 0)
        defer { bar.finish() }
        for table in tables {
            let wanted = try await TableDigest(of: table, in: source)
            if try await TableDigest(of: table, in: target) != wanted {
                guard Self.changedByVerification.contains(table.table.name) else { throw difference(table) }
                try await TableCopier(table, from: source, to: target, after: Set(tables.map(\.table.name))).replace()
                guard try await TableDigest(of: table, in: target) == wanted else { throw difference(table) }
            }
            rows += wanted.rows
            bar.update(done: rows)
        }
        return rows
    }

    private func difference(_ table: TableStatements) -> CommandFailure {
        CommandFailure(
            "The table \(table.table.name) of \(names.target) differs from that of \(names.source). Empty the target "
                + "(drop and create the database, or remove the file), and copy again.")
    }
}

/// The outcome of a copy.
package struct CopySummary: Sendable {
    package let tables: Int
    package let rows: Int
    package let timelines: TimelineVerifier.Report
}

extension SQLReader {
    fileprivate func count(of table: TableStatements) throws -> Int {
        try first(table.count, []) { Int($0.integer(0)) } ?? 0
    }
}
