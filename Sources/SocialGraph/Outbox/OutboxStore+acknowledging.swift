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
            for lease in share.leases { try LeaseStore.Writer(transaction).require(lease) }
            let (writer, all) = (Writer(transaction), share.all)
            for job in finished {
                try writer.acknowledge(job, in: share.groups, of: all, isClosed: share.isWhole)
            }
            for job in closed { try writer.acknowledge(job, in: all, of: all, isClosed: true) }
            for (job, cursor) in progressed {
                try transaction.execute(
                    "UPDATE outbox SET progress_author = ?2, progress_position = ?3 WHERE id = ?1",
                    [.integer(job.rawValue), .integer(cursor.author), .integer(cursor.position)])
            }
        }
    }
}

extension OutboxStore.Writer {
    /// - Parameter isClosed: the job has had its finale, if it has one.
    fileprivate func acknowledge(_ job: JobID, in groups: GroupSet, of all: GroupSet, isClosed: Bool) throws {
        let (id, part, whole): (SQLValue, SQLValue, SQLValue) = (
            .integer(job.rawValue), .integer(groups.rawValue), .integer(all.rawValue)
        )
        try transaction.execute(DeliveryStore.receiptStatement, [id, .integer(transaction.now), part, whole])
        try transaction.execute(Self.removal, [id, part, whole, .flag(isClosed)])
        if groups != all {
            try transaction.execute("UPDATE outbox SET done_groups = done_groups | ?2 WHERE id = ?1", [id, part])
        }
    }

    private static let removal = """
        DELETE FROM outbox WHERE id = ?1 AND done_groups | ?2 = ?3
            AND (?4 = 1 OR kind NOT IN (\(OutboxJob.Work.kindsWithFinale.map(\.literal).joined(separator: ", "))))
        """
}
