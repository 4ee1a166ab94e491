import Database
import SocialGraph

/// A kind of event that app webhooks receive. The raw value is stable: it is sent to receivers, who must ignore kinds
/// that they do not know, because more will follow.
package enum AppEventKind: String, Sendable, CaseIterable {
    case postCreated = "post.created"
    case userCreated = "user.created"
    case reportCreated = "report.created"
    case uploadCreated = "upload.created"
    /// The job of a video has ended, in either way.
    case mediaReady = "media.ready"

    /// Bit of the stored number; stable.
    fileprivate var bit: Int64 {
        switch self {
        case .postCreated: 1
        case .userCreated: 1 << 1
        case .reportCreated: 1 << 2
        case .uploadCreated: 1 << 3
        case .mediaReady: 1 << 4
        }
    }

    /// Query for the ids of up to `?2` events above `?1`, ascending, each with its subject. An id is assigned in the
    /// transaction that inserts the row, so commit order is id order, and no row appears below one that was read.
    /// Files have their ids before that transaction, and a number of their own within it; so has the end of their jobs.
    var query: String {
        switch self {
        case .postCreated: "SELECT id, id FROM post WHERE id > ?1 ORDER BY id LIMIT ?2"
        case .userCreated: "SELECT id, id FROM account WHERE id > ?1 ORDER BY id LIMIT ?2"
        case .reportCreated: "SELECT id, id FROM report WHERE id > ?1 ORDER BY id LIMIT ?2"
        case .uploadCreated: "SELECT stored_id, id FROM media WHERE stored_id > ?1 ORDER BY stored_id LIMIT ?2"
        case .mediaReady: "SELECT ready_id, media_id FROM media_job WHERE ready_id > ?1 ORDER BY ready_id LIMIT ?2"
        }
    }

    static func bits(of kinds: Set<Self>) -> Int64 { kinds.reduce(0) { $0 | $1.bit } }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` for a bit without a kind.
    static func kinds(in bits: Int64) throws -> Set<Self> {
        let kinds = Set(allCases.filter { bits & $0.bit != 0 })
        guard self.bits(of: kinds) == bits else { throw DatabaseError.undecodable(Self.self, bits) }
        return kinds
    }
}

/// Something that happened in the app: a row that an act has inserted.
package struct AppEvent: Sendable, Equatable {
    /// Position among all events, by which a receiver recognises repetitions.
    package let id: Int64
    package let kind: AppEventKind
    /// Id of the post, user, report or file.
    package let subject: Int64

    package init(id: Int64, kind: AppEventKind, subject: Int64) {
        self.id = id
        self.kind = kind
        self.subject = subject
    }

    /// Time of the event, in milliseconds since 1970.
    package var createdAt: Int64 { IDSequence.milliseconds(of: id) }
}

/// The parts of a report that leave the circle of moderators.
package struct AppReport: Sendable, Equatable {
    package let subjectKind: String
    package let subject: Int64
    package let community: CommunityID?
    package let reason: String
    /// Milliseconds since 1970.
    package let createdAt: Int64
}

extension AppWebhookStore {
    /// Returns a report; nil if it has been erased with an account.
    package func report(_ id: Int64) async throws -> AppReport? {
        try await database.read { reader in
            try reader.first(Self.reportQuery, [.integer(id)]) { row in
                AppReport(
                    subjectKind: row.text(0), subject: row.integer(1),
                    community: row.optionalInteger(2).map(CommunityID.init(rawValue:)), reason: row.text(3),
                    createdAt: row.integer(4))
            }
        }
    }

    static let reportQuery =
        "SELECT subject_kind, subject_id, community_id, reason, created_at FROM report WHERE id = ?1"
}
