import Database

/// The stored form of jobs: a kind, and its arguments in columns of their own. Columns that the kind does not use are
/// NULL.
extension OutboxJob.Work {
    package enum Kind: String, Sendable, CaseIterable {
        case push
        case remove = "unpush"
        case addReason = "share"
        case removeReason = "unshare"
        case rebuild = "refresh"
        case evict = "drop"
        case evictAll = "drop_all"
        case build
        case backfill = "land"
        case rebuildFollowers = "followers"
    }

    package var kind: Kind {
        switch self {
        case .push: .push
        case .remove: .remove
        case .addReason: .addReason
        case .removeReason: .removeReason
        case .rebuild: .rebuild
        case .evict: .evict
        case .evictAll: .evictAll
        case .build: .build
        case .backfill: .backfill
        case .rebuildFollowers: .rebuildFollowers
        }
    }

    typealias Columns = (post: SQLValue, user: SQLValue, position: SQLValue, viewers: SQLValue)

    var columns: Columns {
        switch self {
        case .push(let post, let author), .remove(let post, let author): (.post(post), .user(author), .null, .null)
        case .addReason(let entry, let actor), .removeReason(let entry, let actor):
            (.post(entry.post), .user(actor), .position(entry.position), .null)
        case .rebuild(let viewer): (.null, .user(viewer), .null, .null)
        case .evict(let viewers), .build(let viewers):
            (.null, .null, .null, .blob(IDListCoding.encode(viewers)))
        case .evictAll: (.null, .null, .null, .null)
        case .backfill(let author, let since): (.null, .user(author), .position(since), .null)
        case .rebuildFollowers(let user): (.null, .user(user), .null, .null)
        }
    }

    /// Decodes a kind and ``columns`` from `row`, in this order, starting at `column`. Throws
    /// ``DatabaseError/storageCorrupt(detail:)`` if the kind is unknown or lacks an argument.
    init(row: any SQLRow, at column: Int) throws {
        let kind = try row.choice(column, of: Kind.self)
        func part<Part>(_ value: Part?, _ name: String) throws -> Part {
            guard let value else { throw DatabaseError.undecodable(Self.self, "\(kind.rawValue) without \(name)") }
            return value
        }
        func post() throws -> PostID { PostID(rawValue: try part(row.optionalInteger(column + 1), "post_id")) }
        func user() throws -> UserID { UserID(rawValue: try part(row.optionalInteger(column + 2), "user_id")) }
        func position() throws -> FeedPosition {
            FeedPosition(rawValue: try part(row.optionalInteger(column + 3), "position"))
        }
        func entry() throws -> FeedEntry { FeedEntry(position: try position(), post: try post()) }
        func viewers() throws -> [UserID] {
            try IDListCoding.decode(part(row.optionalBlob(column + 4), "viewers"))
        }
        self =
            switch kind {
            case .push: .push(post: try post(), author: try user())
            case .remove: .remove(post: try post(), author: try user())
            case .addReason: .addReason(entry: try entry(), actor: try user())
            case .removeReason: .removeReason(entry: try entry(), actor: try user())
            case .rebuild: .rebuild(viewer: try user())
            case .evict: .evict(viewers: try viewers())
            case .evictAll: .evictAll
            case .build: .build(viewers: try viewers())
            case .backfill: .backfill(author: try user(), since: try position())
            case .rebuildFollowers: .rebuildFollowers(of: try user())
            }
    }
}

extension OutboxJob {
    /// The columns of ``OutboxStore/outboxJobs(above:limit:)``.
    init(row: any SQLRow) throws {
        self.init(
            id: JobID(rawValue: row.integer(0)), work: try Work(row: row, at: 1),
            progress: AudienceCursor(author: row.integer(6), position: row.integer(7)),
            doneGroups: GroupSet(rawValue: row.integer(9)), createdAt: row.integer(8))
    }
}
