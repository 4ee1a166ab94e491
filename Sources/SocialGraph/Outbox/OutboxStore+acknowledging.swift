import Database

extension OutboxJob.Work {
    /// True for work whose end, after that in all groups, has an effect in the graph.
    package var hasFinale: Bool { Self.kindsWithFinale.contains(kind) }

    fileprivate static let kindsWithFinale: [Kind] = [.remove, .backfill]
}

extension OutboxStore {
    /// Acknowledges jobs under the leases of `share`: removes those that are now done in all groups, unless they have a
    /// finale, and stores the progress of others.
    ///
    /// - Parameters:
    ///   - finished: jobs that are done in the groups of the share, and have had their finale if that is whole.
    ///   - closed: jobs that are done in all groups and have had their finale.
    package func acknowledgeJobs(
        by share: GroupShare, finished: [JobID], closed: [JobID] = [], progressed: [(JobID, AudienceCursor)] = []
    ) async throws {
        try await database.write { transaction in
            try LeaseStore.Writer(transaction).require(share.leases)
            let (writer, all) = (Writer(transaction), share.all)
            try writer.acknowledge(finished, in: share.groups, of: all, isClosed: share.isWhole)
            try writer.acknowledge(closed, in: all, of: all, isClosed: true)
            for (job, cursor) in progressed {
                try transaction.execute(
                    "UPDATE outbox SET progress_author = ?2, progress_position = ?3 WHERE id = ?1",
                    [.integer(job.rawValue), .integer(cursor.author), .integer(cursor.position)])
            }
        }
    }
}

extension OutboxStore.Writer {
    /// - Parameter isClosed: the jobs have had their finale, if they have one.
    fileprivate func acknowledge(_ jobs: [JobID], in groups: GroupSet, of all: GroupSet, isClosed: Bool) throws {
        let ids = jobs.map { SQLValue.integer($0.rawValue) }
        let (part, whole): (SQLValue, SQLValue) = (.integer(groups.rawValue), .integer(all.rawValue))
        let receipts = DeliveryStore.receipts.queries(ids, after: [.integer(transaction.now), part, whole])
        let removals = Self.removal.queries(ids, after: [part, whole, .flag(isClosed)])
        let marks = groups == all ? [] : Self.mark.queries(ids, after: [part])
        for query in receipts + removals + marks { try transaction.execute(query.sql, query.arguments) }
    }

    static let removal = ListQuery(after: 3) { list in
        """
        DELETE FROM outbox WHERE id IN (\(list)) AND (done_groups | ?1) & ?2 = ?2
            AND (?3 = 1 OR kind NOT IN (\(OutboxJob.Work.kindsWithFinale.map(\.literal).joined(separator: ", "))))
        """
    }

    static let mark = ListQuery(after: 1) { list in
        "UPDATE outbox SET done_groups = done_groups | ?1 WHERE id IN (\(list))"
    }
}
