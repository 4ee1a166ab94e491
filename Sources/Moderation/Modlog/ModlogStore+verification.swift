import Database
import SocialGraph

/// Verification of the modlog against tampering.
extension ModlogStore {
    /// Verifies the whole modlog. Each entry must follow the one before it without a gap, its digest must cover that
    /// entry's digest and its own fields, and an existing note must match its digest. Entries missing at the end are
    /// only detected by a caller who knows an earlier head.
    package func verifyModlog() async throws -> ModlogVerification {
        try await database.read { try Reader($0).verifyModlog() }
    }
}

extension ModlogStore.Reader {
    func verifyModlog() throws -> ModlogVerification {
        var entries: Int64 = 0
        var head = ModlogChain.empty
        var broken: ModlogEntryID?
        var last: Int64 = 0
        while true {
            let rows = try reader.rows(Self.modlogRowsQuery, [.integer(last), .integer(Self.verifiedPage)]) { row in
                let entry = ModlogRow(row: row)
                return (entry, isNoteWhole: Self.isNoteWhole(row, entry))
            }
            for (entry, isNoteWhole) in rows {
                entries += 1
                let isWhole =
                    isNoteWhole && entry.seq == entries && entry.digest == ModlogChain.digest(of: entry, after: head)
                if !isWhole { broken = broken ?? ModlogEntryID(rawValue: entry.seq) }
                (head, last) = (entry.digest, entry.seq)
            }
            if rows.count < Self.verifiedPage { break }
        }
        return ModlogVerification(entries: entries, head: head, brokenAt: broken)
    }

    /// Entries read at a time, to bound memory.
    private static let verifiedPage: Int64 = 1_000

    private static func isNoteWhole(_ row: any SQLRow, _ entry: ModlogRow) -> Bool {
        guard let note = row.optionalText(15) else { return true }
        return entry.noteDigest == ModlogChain.digest(ofNote: note, salt: row.blob(16))
    }

    static let modlogRowsQuery = """
        SELECT e.seq, e.batch_id, e.created_at, e.actor_id, e.action, e.subject_kind, e.subject_id, e.community_id,
            e.user_id, e.reason, e.detail, e.ends_at, e.ends_entry, e.note_digest, e.digest, n.note, n.salt,
            e.note_digest IS NULL
        FROM moderation_entry e LEFT JOIN moderation_note n ON n.seq = e.seq WHERE e.seq > ?1 ORDER BY e.seq LIMIT ?2
        """
}

extension ModlogRow {
    init(row: any SQLRow) {
        seq = row.integer(0)
        batch = row.integer(1)
        createdAt = row.integer(2)
        actor = row.optionalInteger(3)
        action = row.text(4)
        subjectKind = row.text(5)
        subject = row.integer(6)
        community = row.optionalInteger(7)
        user = row.optionalInteger(8)
        reason = row.text(9)
        detail = row.text(10)
        endsAt = row.optionalInteger(11)
        endsEntry = row.optionalInteger(12)
        noteDigest = row.integer(17) != 0 ? nil : row.blob(13)
        digest = row.blob(14)
    }
}
