import Crypto
import Database
import SocialGraph

/// An entry to write.
struct ModlogRecord {
    let batch: BatchID
    var actor: UserID?
    let action: ModerationAction
    let subject: ModerationSubject
    let community: CommunityID?
    let user: UserID?
    var reason: String
    var note: String?
    var detail: [String: String]
    var endsAt: Int64?
    var endsEntry: ModlogEntryID?
    var scope: ModerationScope
}

extension ModlogRecord {
    init(
        _ order: ModerationOrder, of target: ModerationTarget, batch: BatchID, by actor: UserID?,
        _ scope: ModerationScope
    ) {
        var user = target.user
        if case .successor(let successor) = order.detail { user = successor }
        self.init(
            batch: batch, actor: actor, action: order.action, subject: target.subject, community: target.community,
            user: user, reason: order.reason, note: order.note, detail: order.detail?.logged ?? [:],
            endsAt: order.endsAt, scope: scope)
    }
}

extension ModlogStore.Reader {
    /// An entry that ends another. Its reason is the other's.
    func ending(of entry: ModlogEntryID, _ action: ModerationAction, _ batch: BatchID) throws -> ModlogRecord? {
        try reader.first(Self.endedEntryQuery, [.integer(entry.rawValue)]) { row in
            ModlogRecord(
                batch: batch, actor: nil, action: action, subject: ModerationSubject(try row.choice(1), row.integer(2)),
                community: row.optionalInteger(3).map(CommunityID.init(rawValue:)),
                user: row.optionalInteger(4).map(UserID.init(rawValue:)), reason: row.text(5),
                detail: ModlogDetail.ending(try row.choice(0)), endsEntry: entry, scope: .site)
        }
    }

    static let endedEntryQuery = """
        SELECT action, subject_kind, subject_id, community_id, user_id, reason FROM moderation_entry WHERE seq = ?1
        """
}

extension ModlogStore.Writer {
    func append(_ record: ModlogRecord) throws -> ModlogEntryID {
        let head = try transaction.first(Self.modlogHeadQuery, []) { (seq: $0.integer(0), digest: $0.blob(1)) }
        let seq = (head?.seq ?? 0) + 1
        var salt: [UInt8] = []
        if record.note != nil { salt = (0..<16).map { _ in UInt8.random(in: .min ... .max) } }
        var row = ModlogRow(
            seq: seq, batch: record.batch.rawValue, createdAt: transaction.now, actor: record.actor?.rawValue,
            action: record.action.rawValue, subjectKind: record.subject.kind.rawValue,
            subject: record.subject.rawValue, community: record.community?.rawValue, user: record.user?.rawValue,
            reason: record.reason, detail: ModlogDetail.text(record.detail), endsAt: record.endsAt,
            endsEntry: record.endsEntry?.rawValue,
            noteDigest: record.note.map { ModlogChain.digest(ofNote: $0, salt: salt) })
        row.digest = ModlogChain.digest(of: row, after: head?.digest)
        try transaction.execute(
            """
            INSERT INTO moderation_entry (seq, batch_id, created_at, actor_id, action, subject_kind, subject_id,
                community_id, user_id, reason, detail, ends_at, ends_entry, note_digest, digest, is_site)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """, row.arguments + [.flag(record.scope == .site)])
        if let note = record.note {
            try transaction.execute(
                "INSERT INTO moderation_note (seq, salt, note) VALUES (?1, ?2, ?3)",
                [.integer(seq), .blob(salt), .text(note)])
        }
        return ModlogEntryID(rawValue: seq)
    }

    static let modlogHeadQuery = "SELECT seq, digest FROM moderation_entry WHERE seq > 0 ORDER BY seq DESC LIMIT 1"
}

/// A row of the modlog in the form used by the chain.
struct ModlogRow {
    let seq: Int64
    let batch: Int64
    let createdAt: Int64
    let actor: Int64?
    let action: String
    let subjectKind: String
    let subject: Int64
    let community: Int64?
    let user: Int64?
    let reason: String
    let detail: String
    let endsAt: Int64?
    let endsEntry: Int64?
    let noteDigest: [UInt8]?
    var digest: [UInt8] = []

    /// The values in the order of the columns.
    var arguments: [SQLValue] {
        fields + [.blob(digest)]
    }

    fileprivate var fields: [SQLValue] {
        [
            .integer(seq), .integer(batch), .integer(createdAt), .integer(optional: actor), .text(action),
            .text(subjectKind), .integer(subject), .integer(optional: community), .integer(optional: user),
            .text(reason), .text(detail), .integer(optional: endsAt), .integer(optional: endsEntry),
            noteDigest.map(SQLValue.blob) ?? .null,
        ]
    }
}

/// The digests that chain the modlog.
enum ModlogChain {
    static let empty = [UInt8](repeating: 0, count: SHA256.byteCount)

    /// Returns the digest over the previous digest and every field, each with its kind and its length, so that
    /// different rows never have the same input.
    static func digest(of row: ModlogRow, after previous: [UInt8]?) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: previous ?? empty)
        for field in row.fields {
            switch field {
            case .integer(let value): update(&hash, 1, bytes(of: value))
            case .text(let text): update(&hash, 2, Array(text.utf8))
            case .blob(let blob): update(&hash, 3, blob)
            case .null, .real: update(&hash, 0, [])
            }
        }
        return Array(hash.finalize())
    }

    /// Returns the digest of a note. Salted, so that an erased note cannot be guessed from it.
    static func digest(ofNote note: String, salt: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: salt + Array(note.utf8)))
    }

    private static func update(_ hash: inout SHA256, _ kind: UInt8, _ value: [UInt8]) {
        hash.update(data: [kind] + bytes(of: Int64(value.count)) + value)
    }

    private static func bytes(of value: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// A JSON object of texts with sorted keys.
package enum ModlogDetail {
    /// The detail of an undo or an expiry that ends an entry of `action`.
    package static func ending(_ action: ModerationAction) -> [String: String] { ["action": action.rawValue] }

    /// Returns the action in the text of an ``ending(_:)``. Throws ``DatabaseError/storageCorrupt(detail:)`` for
    /// another text.
    package static func endedAction(in text: String) throws -> ModerationAction {
        guard let action = endings[text] else { throw DatabaseError.undecodable(ModlogDetail.self, text) }
        return action
    }

    /// Returns the action of the entry that an undo or an expiry with this detail ended; otherwise `action` itself.
    static func orderedAction(_ action: ModerationAction, in text: String) throws -> ModerationAction {
        action.isOrderable ? action : try endedAction(in: text)
    }

    private static let endings = Dictionary(
        uniqueKeysWithValues: ModerationAction.allCases.map { (text(ending($0)), $0) })

    package static func text(_ values: [String: String]) -> String {
        let members = values.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
        return "{\(members.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
