import Database

/// The stored form of jobs: a kind, and its arguments in columns of their own. Columns that the kind does not use are
/// NULL.
extension OutboxJob.Work {
    package enum Kind: String, Sendable, CaseIterable {
        case push, unpush, share, unshare, refresh, drop
        case dropAll = "drop_all"
        case build, land
        case refreshFollowers = "followers"
    }

    package var kind: Kind {
        switch self {
        case .push: .push
        case .unpush: .unpush
        case .share: .share
        case .unshare: .unshare
        case .refresh: .refresh
        case .drop: .drop
        case .dropAll: .dropAll
        case .build: .build
        case .land: .land
        case .refreshFollowers: .refreshFollowers
        }
    }

    typealias Columns = (post: SQLValue, user: SQLValue, position: SQLValue, viewers: SQLValue)

    var columns: Columns {
        switch self {
        case .push(let post, let author), .unpush(let post, let author): (.post(post), .user(author), .null, .null)
        case .share(let entry, let actor), .unshare(let entry, let actor):
            (.post(entry.post), .user(actor), .position(entry.position), .null)
        case .refresh(let viewer): (.null, .user(viewer), .null, .null)
        case .drop(let viewers), .build(let viewers):
            (.null, .null, .null, .blob(ViewerListCoding.encode(viewers)))
        case .dropAll: (.null, .null, .null, .null)
        case .land(let author, let since): (.null, .user(author), .position(since), .null)
        case .refreshFollowers(let user): (.null, .user(user), .null, .null)
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
            try ViewerListCoding.decode(part(row.optionalBlob(column + 4), "viewers"))
        }
        self =
            switch kind {
            case .push: .push(post: try post(), author: try user())
            case .unpush: .unpush(post: try post(), author: try user())
            case .share: .share(entry: try entry(), actor: try user())
            case .unshare: .unshare(entry: try entry(), actor: try user())
            case .refresh: .refresh(viewer: try user())
            case .drop: .drop(viewers: try viewers())
            case .dropAll: .dropAll
            case .build: .build(viewers: try viewers())
            case .land: .land(author: try user(), since: try position())
            case .refreshFollowers: .refreshFollowers(of: try user())
            }
    }
}

extension OutboxJob {
    /// The columns of ``OutboxStore/outboxJobs(above:limit:)``.
    init(row: any SQLRow) throws {
        self.init(
            id: JobID(rawValue: row.integer(0)), work: try Work(row: row, at: 1),
            progress: AudienceCursor(author: row.integer(6), position: row.integer(7)), createdAt: row.integer(8))
    }
}
